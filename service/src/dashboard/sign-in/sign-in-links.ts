import { randomBytes } from "node:crypto";

const lifetimeMs = 15 * 60_000;

/** The tokens of links that sign the operator in. Each is valid once, and for 15 minutes. */
export class SignInLinks {
    readonly #clock: () => number;
    readonly #untils = new Map<string, number>();

    constructor(clock: () => number) {
        this.#clock = clock;
    }

    create(): string {
        const token = randomBytes(24).toString("base64url");
        this.#untils.set(token, this.#clock() + lifetimeMs);
        return token;
    }

    /** Whether the token was valid. */
    use(token: string): boolean {
        const until = this.#untils.get(token) ?? 0;
        this.#untils.delete(token);
        return this.#clock() < until;
    }
}
