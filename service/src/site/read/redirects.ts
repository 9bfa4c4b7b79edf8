import { type Redirect } from "./docs-config.js";

/** Where an address of the site leads on to, as the settings say: `/old` to `/new`, `/v1/:slug*` to `/v2/:slug*`. */
export class Redirects {
    readonly #exact = new Map<string, string>();
    readonly #patterns: { expression: RegExp; names: string[]; destination: string }[] = [];

    constructor(redirects: readonly Redirect[]) {
        for (const { source, destination } of redirects) {
            const path = withoutSlashes(source);
            if (!/[:*]/.test(path)) {
                this.#exact.set(path, destination);
                continue;
            }
            const names: string[] = [];
            const expression = path
                .split("/")
                .map((part) => {
                    const [, name = "*", star] = /^:([\w-]+)(\*)?$/.exec(part) ?? [];
                    if (part !== "*" && name === "*") {
                        return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
                    }
                    names.push(name);
                    return part === "*" || star !== undefined ? "(.*)" : "([^/]+)";
                })
                .join("/");
            this.#patterns.push({ expression: new RegExp(`^${expression}$`), names, destination });
        }
    }

    /** @param address without a slash in front @returns where it leads to, an address of the site or of another one */
    find(address: string): string | undefined {
        const exact = this.#exact.get(address);
        if (exact !== undefined) {
            return exact;
        }
        for (const { expression, names, destination } of this.#patterns) {
            const values = expression.exec(address)?.slice(1);
            if (values !== undefined) {
                return names.reduce(
                    (path, name, index) =>
                        path.replace(
                            name === "*" ? "*" : new RegExp(`:${name}\\*?(?![\\w-])`),
                            () => values[index] ?? "",
                        ),
                    destination,
                );
            }
        }
        return undefined;
    }
}

function withoutSlashes(path: string): string {
    return path.replace(/^\/+|\/+$/g, "");
}
