import { type AuditLog } from "../../history/audit-log.js";
import { keyScopes } from "../../keys/admin-keys.js";
import { type SessionRecord, type SessionRecords } from "../../keys/session-records.js";
import { assertUnlimited, type Caller, isUnlimited, logAct, narrowedTo } from "../protocol/caller.js";
import { ListAuditQuery, SessionParams } from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";

interface SessionRoutesOptions {
    sessionRecords: SessionRecords;
    audit: AuditLog;
}

const route = routesOf<SessionRoutesOptions>("Keys");
const defaultLimit = 50;

const listSessions = route({
    at: "GET /v1/sessions",
    operation: "session-list",
    scopes: keyScopes,
    id: "listSessions",
    summary: "List the dashboard sessions of the key, or all sessions if the key manages all keys",
    answer: [200, "SessionList", "The sessions that have not ended, the newest first."],
    handle: async ({ caller }, { sessionRecords }) => ({
        sessions: (await sessionRecords.list(seesAll(caller) ? undefined : caller.id)).map(answerOf),
    }),
});

const endSession = route({
    at: "DELETE /v1/sessions/:sessionId",
    operation: "session-end",
    scopes: keyScopes,
    id: "endSession",
    summary: "End a session of the dashboard",
    request: { params: SessionParams },
    answer: [200, "Session", "The session, which has ended."],
    errors: [404],
    handle: async (request, { sessionRecords, audit }) => {
        const { caller, params } = request;
        const all = await sessionRecords.list(seesAll(caller) ? undefined : caller.id);
        const session = all.find(({ id }) => id === params.sessionId);
        if (session === undefined) {
            throw new RequestError(404, `There is no session ${params.sessionId}.`);
        }
        await sessionRecords.end(session.id);
        logAct(audit, request, `ended session ${session.id} of ${session.name}`);
        return answerOf(session);
    },
});

const listAudit = route({
    at: "GET /v1/audit",
    operation: "audit",
    scopes: ["keys"],
    id: "listAudit",
    summary: "List what people and keys did",
    request: { querystring: ListAuditQuery },
    answer: [200, "AuditList", "The entries that are still kept, the newest first."],
    handle: async ({ caller, query }, { audit }) => {
        assertUnlimited(caller);
        const { entries, next } = await audit.list(Number(query.limit ?? defaultLimit), cursorOf(query.cursor));
        return {
            entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
            next: next === undefined ? null : String(next),
        };
    },
});

/** The sessions of people, and what they did. */
export const sessionRoutes = [listSessions, endSession, listAudit];

function seesAll(caller: Caller): boolean {
    return caller.scopes.includes("keys") && isUnlimited(narrowedTo(["keys"], caller));
}

function cursorOf(cursor: string | undefined): number | undefined {
    return cursor === undefined ? undefined : Number(cursor);
}

function answerOf({ createdAt, seenAt, expiresAt, ...session }: SessionRecord) {
    return {
        ...session,
        createdAt: createdAt.toISOString(),
        seenAt: seenAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
    };
}
