import { type Answer } from "../../http/protocol/schemas.js";
import { Act, Foreign, Layout, type PageContext, Pages, Table, Time } from "./parts.js";

interface SessionsPageProps {
    context: PageContext;
    list: Answer<"SessionList">;
}

export function SessionsPage({ context, list }: SessionsPageProps) {
    return (
        <Layout title="Sessions" context={context} section="/sessions">
            <h1>Sessions</h1>
            <p class="soft">
                A session ends after two hours without use, with its key's secret, and when somebody ends it here. Each
                key and person has at most 100 sessions: a new one ends the oldest.
            </p>
            <Table title="Sessions" columns={["Who", "Signed in", "From", "Last use", "Ends", "Change"]}>
                {list.sessions.map((session) => (
                    <tr>
                        <td>
                            <Foreign text={session.name} limit={100} /> <code>{session.ownerId ?? "operator"}</code>{" "}
                            {session.id === context.caller.sessionId ? (
                                <span class="status active">this session</span>
                            ) : null}
                        </td>
                        <td>
                            <Time at={session.createdAt} />
                        </td>
                        <td>{session.address}</td>
                        <td>
                            <Time at={session.seenAt} />
                        </td>
                        <td>
                            <Time at={session.expiresAt} />
                        </td>
                        <td>
                            <Act
                                context={context}
                                action={`/sessions/${session.id}/end`}
                                title="End"
                                label={`End the session of ${session.name} from ${session.createdAt}`}
                                look="danger"
                            />
                        </td>
                    </tr>
                ))}
            </Table>
            <Pages context={context} path="/sessions" next={list.next} />
        </Layout>
    );
}

export function AuditPage({ context, audit }: { context: PageContext; audit: Answer<"AuditList"> }) {
    const { entries, next } = audit;
    return (
        <Layout title="Audit" context={context} section="/audit">
            <h1>Audit</h1>
            {entries.length === 0 ? <p class="soft">Nobody has done anything yet.</p> : null}
            {entries.length === 0 ? null : (
                <Table title="Audit" columns={["When", "Who", "What", "From"]}>
                    {entries.map(({ at, actor, act, address }) => (
                        <tr>
                            <td>
                                <Time at={at} />
                            </td>
                            <td>
                                <Foreign text={actor} limit={200} />
                            </td>
                            <td>
                                <Foreign text={act} limit={500} />
                            </td>
                            <td>{address}</td>
                        </tr>
                    ))}
                </Table>
            )}
            <Pages context={context} path="/audit" next={next} />
        </Layout>
    );
}
