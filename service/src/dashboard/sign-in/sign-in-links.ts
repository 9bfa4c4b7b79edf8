import { randomBytes } from "node:crypto";

const lifetimeMs = 15 * 60_000;
/** How long a second click on the same page still signs in: browsers show only the answer of the last one. */
const clickMs = 10_000;

/** The tokens of links that sign the operator in. Each is valid once, and for 15 minutes. */
export class SignInLinks {
    readonly #clock: () => number;
    readonly #createdAt = new Map<string, number>();
    #last: { token: string; form: string; usedAt: number } | undefined;

    constructor(clock: () => number) {
        this.#clock = clock;
    }

    create(): string {
        const token = randomBytes(24).toString("base64url");
        this.#createdAt.set(token, this.#clock());
        return token;
    }

    /** Whether a link can still be opened. */
    get isOffered(): boolean {
        return [...this.#createdAt.values()].some((at) => this.#isFresh(at));
    }

    /** Whether the token was valid. @param form - the key of the page whose button was pressed */
    use(token: string, form: string): boolean {
        const now = this.#clock();
        const last = this.#last;
        if (form !== "" && last?.token === token && last.form === form && Math.abs(now - last.usedAt) < clickMs) {
            return true;
        }
        const isValid = this.#isFresh(this.#createdAt.get(token) ?? -Infinity);
        this.#createdAt.delete(token);
        if (isValid) {
            this.#last = { token, form, usedAt: now };
        }
        return isValid;
    }

    #isFresh(createdAt: number): boolean {
        // The clock may have been set back.
        return Math.abs(this.#clock() - createdAt) < lifetimeMs;
    }
}
