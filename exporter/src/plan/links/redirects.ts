import { type Redirect } from "../../read/settings/setting-values.js";
import { RedirectPattern } from "./redirect-pattern.js";

/** The redirects of a site's settings: `/old` to `/new`, `/v1/:slug*` to `/v2/:slug*`. */
export class Redirects {
    readonly #exact = new Map<string, string>();
    readonly #patterns: { pattern: RedirectPattern; expression: RegExp; destination: string }[] = [];

    constructor(readonly all: readonly Redirect[]) {
        for (const { source, destination } of all) {
            const path = source.replace(/^\/+|\/+$/g, "");
            if (!RedirectPattern.is(path)) {
                this.#exact.set(path, destination);
                continue;
            }
            const pattern = new RedirectPattern(path);
            const expression = new RegExp(`^${pattern.toExpression((value) => `(${value})`)}$`);
            this.#patterns.push({ pattern, expression, destination });
        }
    }

    /** @param address without a leading slash @returns the target, an address on this site or on another site */
    find(address: string): string | undefined {
        const exact = this.#exact.get(address);
        if (exact !== undefined) {
            return exact;
        }
        for (const { pattern, expression, destination } of this.#patterns) {
            const values = expression.exec(address)?.slice(1);
            if (values !== undefined) {
                return pattern.fill(destination, (index) => values[index] ?? "");
            }
        }
        return undefined;
    }
}
