import { decodeUri, trimSlashes } from "@pulumi-static-export/contract";
import { type Redirect } from "../../read/settings/setting-values.js";
import { RedirectPattern } from "./redirect-pattern.js";

/** The place of a redirect's source in the site, decoded, without slashes at its ends. */
export function placeOfSource(source: string): string {
    return textOf(trimSlashes(source));
}

function textOf(address: string): string {
    return decodeUri(address).normalize("NFC");
}

/** Why a redirect must not lead to the address; undefined if it may. */
export function problemOfTarget(destination: string): string | undefined {
    if (/^\/[/\\]/.test(destination)) {
        return "its destination begins with two slashes, so it leads to another site: begin it with https:// or with one /";
    }
    return /^(?:\/|https?:\/\/)/i.test(destination) ? undefined : "its destination must begin with / or https://";
}

/** The redirects of a site's settings: `/old` to `/new`, `/v1/:slug*` to `/v2/:slug*`. */
export class Redirects {
    readonly #exact = new Map<string, string>();
    readonly #patterns: { pattern: RedirectPattern; expression: RegExp; destination: string }[] = [];

    constructor(readonly all: readonly Redirect[]) {
        for (const { source, destination } of all) {
            const path = trimSlashes(source);
            if (!RedirectPattern.is(path)) {
                this.#exact.set(textOf(path), destination);
                continue;
            }
            const pattern = new RedirectPattern(path, textOf);
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
