import { type Answer } from "../../http/protocol/schemas.js";
import {
    Act,
    DayFields,
    Empty,
    FilterForm,
    Foreign,
    Layout,
    type PageContext,
    Pages,
    Problem,
    Table,
    Time,
    Total,
} from "./parts.js";

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

interface AuditPageProps {
    context: PageContext;
    audit: Answer<"AuditList">;
    problem: string | undefined;
}

export function AuditPage({ context, audit, problem }: AuditPageProps) {
    const { entries, total, next } = audit;
    const { actor, act, site } = context.query;
    return (
        <Layout title="Audit" context={context} section="/audit">
            <h1>Audit</h1>
            <FilterForm action={`${context.base}/audit`}>
                <label>
                    Who
                    <input type="search" name="actor" maxLength={300} value={actor ?? ""} />
                </label>
                <label>
                    What
                    <input type="search" name="act" maxLength={300} value={act ?? ""} />
                </label>
                <label>
                    Site
                    <input type="search" name="site" maxLength={300} value={site ?? ""} />
                </label>
                <DayFields query={context.query} />
                <button>Filter</button>
            </FilterForm>
            <Problem text={problem} />
            {entries.length > 0 || problem !== undefined ? null : (
                <Empty context={context} one="entry" none="There are no entries." />
            )}
            {entries.length === 0 ? null : <Total of={total} one="entry" many="entries" />}
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
