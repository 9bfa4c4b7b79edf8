import { type AdminKeys } from "../../keys/admin-keys.js";
import { cursorOf, parseCursor } from "../../keys/read-page.js";
import { CreatedKeysQuery, KeyParams, ListKeysQuery } from "../protocol/operator-requests.js";
import { reaches } from "../protocol/caller.js";
import { routesOf } from "../protocol/route.js";
import { answerOf, expectSeen } from "./key-access.js";

const route = routesOf<{ adminKeys: AdminKeys }>("Keys");
const defaultLimit = 20;

const listKeys = route({
    at: "GET /v1/keys",
    operation: "key-list",
    scopes: ["keys"],
    id: "listKeys",
    summary: "List admin API keys",
    request: { querystring: ListKeysQuery },
    answer: [200, "AdminKeyList", "The keys, also revoked and expired ones, the newest first."],
    handle: async ({ caller, query }, { adminKeys }) => {
        const search = (query.search ?? "").trim().toLowerCase();
        const { items, next } = await adminKeys.list(
            {
                search,
                reach: caller.domains,
                before: parseCursor(query.cursor),
                limit: query.limit === undefined ? undefined : Number(query.limit),
            },
            (key) => reaches(caller, key),
        );
        return {
            keys: items.map(answerOf),
            ...(next === undefined ? {} : { next: cursorOf(next) }),
        };
    },
});

const getKey = route({
    at: "GET /v1/keys/:keyId",
    operation: "key-get",
    scopes: ["keys"],
    id: "getKey",
    summary: "Get an admin API key",
    request: { params: KeyParams },
    answer: [200, "AdminKey", "The key, even if it was revoked or has expired."],
    errors: [404],
    handle: async ({ caller, params }, { adminKeys }) => answerOf(await expectSeen(params.keyId, caller, adminKeys)),
});

const listCreatedKeys = route({
    at: "GET /v1/keys/:keyId/created",
    operation: "key-created",
    scopes: ["keys"],
    id: "listCreatedKeys",
    summary: "List the keys that an admin API key created, directly or through other keys",
    request: { params: KeyParams, querystring: CreatedKeysQuery },
    answer: [200, "AdminKeyList", "The active keys, the newest first."],
    errors: [404],
    handle: async ({ caller, params, query }, { adminKeys }) => {
        const { id } = await expectSeen(params.keyId, caller, adminKeys);
        const made = (await adminKeys.madeBy(id)).filter((key) => reaches(caller, key));
        return { keys: made.slice(0, Number(query.limit ?? defaultLimit)).map(answerOf) };
    },
});

/** The operations that look for keys. */
export const findKeyRoutes = [listKeys, getKey, listCreatedKeys];
