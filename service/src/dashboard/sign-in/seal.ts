import { createHmac } from "node:crypto";
import { type LinkSecrets } from "../../keys/link-secrets.js";
import { areEqualSecrets } from "../../shared/equal-secrets.js";

export interface SealOptions {
    /** All processes of the service have the same. Known once the service listens. */
    secrets: Pick<LinkSecrets, "current" | "accepts">;
    clock: () => number;
}

/** Signs contents of cookies for some time. Everybody can read them, but nobody can change them. */
export class Seal {
    readonly #purpose: string;
    readonly #options: SealOptions;

    /** @param purpose - keeps a cookie of one kind from being accepted as another */
    constructor(purpose: string, options: SealOptions) {
        this.#purpose = purpose;
        this.#options = options;
    }

    close(content: object, forMs: number): string {
        const sealed = { ...content, until: this.#options.clock() + forMs };
        const text = Buffer.from(JSON.stringify(sealed)).toString("base64url");
        return `${text}.${this.#sign(this.#options.secrets.current, text)}`;
    }

    /** The content; undefined if it was not sealed here, or has expired. */
    async open(cookie = ""): Promise<unknown> {
        const [text = "", signature = "", ...rest] = cookie.split(".");
        // Two values must never open the same content, because each counts as another one.
        if (rest.length > 0) {
            return undefined;
        }
        if (!(await this.#options.secrets.accepts((secret) => areEqualSecrets(signature, this.#sign(secret, text))))) {
            return undefined;
        }
        const content = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as { until: number };
        return content.until > this.#options.clock() ? content : undefined;
    }

    #sign(secret: string, text: string): string {
        return createHmac("sha256", `${this.#purpose} ${secret}`).update(text).digest("base64url");
    }
}
