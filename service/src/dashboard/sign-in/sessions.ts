import { type Caller, operator } from "../../http/protocol/caller.js";
import { type AdminKeys, digest } from "../../keys/admin-keys.js";
import { type OperatorKeys } from "../../keys/operator-keys.js";
import { type Page, type PageRequest } from "../../keys/read-page.js";
import { type SessionRecord, type SessionRecords } from "../../keys/session-records.js";
import { Seal, type SealOptions } from "./seal.js";
import { type Person, personOf, type SignInGroups } from "./sign-in-groups.js";

/** Who signs in: the holder of a secret of the operator or of a key, or a person whom the provider identified. */
export type SignedIn =
    | { kind: "operator"; key: string }
    | { kind: "key"; id: string; name: string; secret: string }
    | ({ kind: "person" } & Person);

const maxMs = 12 * 3600 * 1000;

interface SessionsOptions extends SealOptions {
    records: SessionRecords;
    operatorKeys: Pick<OperatorKeys, "idOf" | "firstId" | "isValid">;
    keys: Pick<AdminKeys, "find" | "findByDigest" | "findAllByDigest">;
    /** What the groups of people allow; undefined without an identity provider. */
    groups: SignInGroups | undefined;
}

/** The session of a request. */
interface CurrentSession {
    id: string;
    caller: Caller;
}

/**
 * Sessions of people. The cookie contains a random token; a session belongs to the secret that began it, and ends with
 * that secret. Current rights apply to every request.
 */
export class Sessions {
    readonly #options: SessionsOptions;
    readonly #seal: Seal;

    constructor(options: SessionsOptions) {
        this.#options = options;
        this.#seal = new Seal("session", options);
    }

    /** Who knows an admin API key; undefined for an unknown key. */
    async identify(adminApiKey: string): Promise<SignedIn | undefined> {
        const operatorKey = this.#options.operatorKeys.idOf(adminApiKey);
        if (operatorKey !== undefined) {
            return { kind: "operator", key: operatorKey };
        }
        const key = await this.#options.keys.find(adminApiKey);
        return key === undefined ? undefined : { kind: "key", id: key.id, name: key.name, secret: digest(adminApiKey) };
    }

    ofOperator(): SignedIn {
        return { kind: "operator", key: this.#options.operatorKeys.firstId };
    }

    /** A person with those groups that allow something; undefined if there are none. */
    ofPerson(person: Person): SignedIn | undefined {
        const { groups } = this.#options;
        const known = person.groups.filter((group) => groups?.has(group));
        return known.length === 0 ? undefined : { kind: "person", ...person, groups: known };
    }

    /** Begins a session. @returns the value of the cookie */
    async begin(who: SignedIn, address: string, forMs = maxMs): Promise<string> {
        const owner =
            who.kind === "operator"
                ? { name: "Operator", ownerId: null }
                : { name: who.name, ownerId: who.kind === "key" ? who.id : `user:${who.id}` };
        const token = await this.#options.records.add({ ...owner, address, content: JSON.stringify(who), forMs });
        return this.#seal.close({ token }, forMs);
    }

    /**
     * The session of a cookie; undefined if it has ended, or if its secret is no longer valid.
     *
     * @param isUse - whether a person asked for something, which keeps the session alive
     */
    async of(cookie: string | undefined, isUse = true): Promise<CurrentSession | undefined> {
        const { records, keys } = this.#options;
        const token = await this.#tokenOf(cookie);
        const found = token === undefined ? undefined : (await records.find([token])).get(token);
        if (found === undefined) {
            return undefined;
        }
        const who = JSON.parse(found.content) as SignedIn;
        const caller = who.kind === "key" ? await keys.findByDigest(who.secret) : this.#callerWithoutKey(who);
        if (caller !== undefined && isUse && !found.isSeenLately) {
            await records.use(found.id);
        }
        return caller && { id: found.id, caller };
    }

    /** The callers of those cookies whose sessions have not ended, with one reading for all of them. Records no use. */
    async callersOf(cookies: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
        const { records } = this.#options;
        const tokens = await Promise.all(cookies.map(async (cookie) => [cookie, await this.#tokenOf(cookie)] as const));
        const found = await records.find(tokens.flatMap(([, token]) => token ?? []));
        const callers = await this.#callersOf([...found.values()].map(({ content }) => content));
        return new Map(
            tokens.flatMap(([cookie, token]) => {
                const caller = callers.get(found.get(token ?? "")?.content ?? "");
                return caller === undefined ? [] : [[cookie, caller] as const];
            }),
        );
    }

    /** A page of the sessions that have not ended and whose secrets are valid. @param ownerId - undefined for all */
    async list(page: PageRequest & { ownerId: string | null | undefined }): Promise<Page<SessionRecord>> {
        return this.#options.records.list(page, async (sessions) => {
            const callers = await this.#callersOf(sessions.map(({ content }) => content));
            return sessions.filter(({ content }) => callers.has(content));
        });
    }

    async get(id: string): Promise<SessionRecord | undefined> {
        return this.#options.records.get(id);
    }

    async end(id: string): Promise<void> {
        await this.#options.records.end(id);
    }

    /** The callers of sessions, by the sessions' contents. Those with invalid secrets have none. */
    async #callersOf(contents: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
        const signedIn = [...new Set(contents)].map((content) => [content, JSON.parse(content) as SignedIn] as const);
        const secrets = signedIn.flatMap(([, who]) => (who.kind === "key" ? [who.secret] : []));
        const byDigest = secrets.length === 0 ? undefined : await this.#options.keys.findAllByDigest(secrets);
        return new Map(
            signedIn.flatMap(([content, who]) => {
                const caller = who.kind === "key" ? byDigest?.get(who.secret) : this.#callerWithoutKey(who);
                return caller === undefined ? [] : [[content, caller] as const];
            }),
        );
    }

    #callerWithoutKey(who: Exclude<SignedIn, { kind: "key" }>): Caller | undefined {
        if (who.kind === "person") {
            return personOf(who, this.#options.groups);
        }
        return this.#options.operatorKeys.isValid(who.key) ? operator : undefined;
    }

    /** The token of a cookie that was sealed here. */
    async #tokenOf(cookie: string | undefined): Promise<string | undefined> {
        const { token } = ((await this.#seal.open(cookie)) ?? {}) as { token?: unknown };
        return typeof token === "string" ? token : undefined;
    }
}
