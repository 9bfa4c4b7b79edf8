import { createHash } from "node:crypto";
import { type Seal } from "./seal.js";

const lifetimeMs = 24 * 3600 * 1000;

/** The token that every form repeats: it belongs to one session, so that no other one's token is accepted. */
export class FormTokens {
    readonly #seal: Seal;

    constructor(seal: Seal) {
        this.#seal = seal;
    }

    /** @param session - the value of the session's cookie; undefined before the sign-in */
    issue(session: string | undefined): string {
        return this.#seal.close({ session: digestOf(session) }, lifetimeMs);
    }

    async accepts(token: unknown, session: string | undefined): Promise<boolean> {
        const content = typeof token === "string" ? await this.#seal.open(token) : undefined;
        return (content as { session?: unknown } | undefined)?.session === digestOf(session);
    }
}

function digestOf(session = ""): string {
    return createHash("sha256").update(session).digest("base64url");
}
