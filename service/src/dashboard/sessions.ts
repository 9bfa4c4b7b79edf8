import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Caller, operator } from "../http/protocol/caller.js";
import { type AdminKeys, type KeyScope, keyScopes } from "../keys/admin-keys.js";
import { type LinkSecrets } from "../keys/link-secrets.js";
import { type OperatorKeys } from "../keys/operator-keys.js";

/** Who has signed in. The cookie contains no secret, and the key's current rights apply to every request. */
export type Session =
    | { kind: "operator"; key: string; until: number }
    | { kind: "key"; id: string; until: number }
    | {
          kind: "person";
          id: string;
          name: string;
          scopes: KeyScope[];
          domains: string[] | null;
          projects: string[] | null;
          until: number;
      };

type NewSession = Session extends infer Each ? (Each extends Session ? Omit<Each, "until"> : never) : never;

const lifetimeMs = 12 * 3600 * 1000;

export interface SessionsOptions {
    /** Sign the cookies; all processes of the service have the same. Known once the service listens. */
    secrets: Pick<LinkSecrets, "current" | "accepts">;
    operatorKeys: Pick<OperatorKeys, "idOf" | "firstId" | "isValid">;
    keys: Pick<AdminKeys, "find" | "findById" | "findActive">;
    clock: () => number;
}

/** Sessions of people. They are valid on every process of the service, and end with the key that began them. */
export class Sessions {
    readonly #options: SessionsOptions;

    constructor(options: SessionsOptions) {
        this.#options = options;
    }

    /** The session of a person who knows an admin API key; undefined for an unknown key. */
    async begin(adminApiKey: string): Promise<NewSession | undefined> {
        const operatorKey = this.#options.operatorKeys.idOf(adminApiKey);
        if (operatorKey !== undefined) {
            return { kind: "operator", key: operatorKey };
        }
        const key = await this.#options.keys.find(adminApiKey);
        return key === undefined ? undefined : { kind: "key", id: key.id };
    }

    ofOperator(): NewSession {
        return { kind: "operator", key: this.#options.operatorKeys.firstId };
    }

    /** The value of the cookie. */
    seal(session: NewSession): string {
        const content = Buffer.from(JSON.stringify({ ...session, until: this.#options.clock() + lifetimeMs }));
        const text = content.toString("base64url");
        return `${text}.${sign(this.#options.secrets.current, text)}`;
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
                return {
                    id: `user:${session.id}`,
                    name: session.name,
                    scopes: session.scopes.filter((scope) => keyScopes.includes(scope)),
                    domains: session.domains,
                    projects: session.projects,
                    priority: "normal",
                    maxQueuedJobs: null,
                    maxRunningJobs: null,
                };
        }
    }

    async #open(cookie = ""): Promise<Session | undefined> {
        const [text = "", signature = ""] = cookie.split(".");
        if (!(await this.#options.secrets.accepts((secret) => isSame(signature, sign(secret, text))))) {
            return undefined;
        }
        const session = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Session;
        return session.until > this.#options.clock() ? session : undefined;
    }
}

function isSame(one: string, other: string): boolean {
    const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
    return timingSafeEqual(digest(one), digest(other));
}

function sign(secret: string, text: string): string {
    return createHmac("sha256", `session ${secret}`).update(text).digest("base64url");
}
