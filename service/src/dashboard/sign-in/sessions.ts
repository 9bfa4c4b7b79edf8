import { type Caller, operator } from "../../http/protocol/caller.js";
import { type AdminKeys } from "../../keys/admin-keys.js";
import { type OperatorKeys } from "../../keys/operator-keys.js";
import { SignInError } from "./identity-provider.js";
import { Seal, type SealOptions } from "./seal.js";
import { type Person, personOf, type SignInGroups } from "./sign-in-groups.js";

/** Who has signed in. The cookie contains no secret, and current rights apply to every request. */
type Session = { kind: "operator"; key: string } | { kind: "key"; id: string } | ({ kind: "person" } & Person);

const hourMs = 3600 * 1000;
/** Browsers ignore larger cookies. */
const maxCookieBytes = 3800;

interface SessionsOptions extends SealOptions {
    operatorKeys: Pick<OperatorKeys, "idOf" | "firstId" | "isValid">;
    keys: Pick<AdminKeys, "find" | "findById" | "findActive">;
    /** What the groups of people allow; undefined without an identity provider. */
    groups: SignInGroups | undefined;
}

/** Sessions of people. They are valid on every process of the service, and end with the key that began them. */
export class Sessions {
    readonly #options: SessionsOptions;
    readonly #seal: Seal;

    constructor(options: SessionsOptions) {
        this.#options = options;
        this.#seal = new Seal("session", options);
    }

    /** The session of a person who knows an admin API key; undefined for an unknown key. */
    async begin(adminApiKey: string): Promise<Session | undefined> {
        const operatorKey = this.#options.operatorKeys.idOf(adminApiKey);
        if (operatorKey !== undefined) {
            return { kind: "operator", key: operatorKey };
        }
        const key = await this.#options.keys.find(adminApiKey);
        return key === undefined ? undefined : { kind: "key", id: key.id };
    }

    ofOperator(): Session {
        return { kind: "operator", key: this.#options.operatorKeys.firstId };
    }

    /** The session of a person; undefined if none of the groups allows anything. */
    ofPerson(person: Person): Session | undefined {
        const { groups } = this.#options;
        const known = person.groups.filter((group) => groups?.has(group));
        return known.length === 0 ? undefined : { kind: "person", ...person, groups: known };
    }

    /** The value of the cookie. @throws SignInError if the session is too large for one */
    seal(session: Session, forMs = 12 * hourMs): string {
        const cookie = this.#seal.close(session, forMs);
        if (cookie.length > maxCookieBytes) {
            throw new SignInError("The session does not fit into a cookie: the person is in too many groups.");
        }
        return cookie;
    }

    /** The caller of a cookie; undefined if the session has ended, or if its key was revoked. */
    async callerOf(cookie: string | undefined): Promise<Caller | undefined> {
        const session = await this.#open(cookie);
        return session?.kind === "key" ? this.#options.keys.findById(session.id) : this.#callerWithoutKey(session);
    }

    /** The callers of those cookies whose sessions have not ended, with one reading of the keys for all of them. */
    async callersOf(cookies: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
        const sessions = await Promise.all(
            cookies.map(async (cookie) => ({ cookie, session: await this.#open(cookie) })),
        );
        const ids = sessions.flatMap(({ session }) => (session?.kind === "key" ? [session.id] : []));
        const keys = ids.length === 0 ? new Map<string, Caller>() : await this.#options.keys.findActive(ids);
        const callers = sessions.map(({ cookie, session }) => {
            const caller = session?.kind === "key" ? keys.get(session.id) : this.#callerWithoutKey(session);
            return [cookie, caller] as const;
        });
        return new Map(callers.filter((entry): entry is readonly [string, Caller] => entry[1] !== undefined));
    }

    #callerWithoutKey(session: Exclude<Session, { kind: "key" }> | undefined): Caller | undefined {
        switch (session?.kind) {
            case undefined:
                return undefined;
            case "operator":
                return this.#options.operatorKeys.isValid(session.key) ? operator : undefined;
            case "person":
                return personOf(session, this.#options.groups);
        }
    }

    async #open(cookie: string | undefined): Promise<Session | undefined> {
        return (await this.#seal.open(cookie)) as Session | undefined;
    }
}
