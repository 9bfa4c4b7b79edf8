/** The pattern of a redirect: `v1/:slug` matches one part of an address, `v1/:slug*` and `v1/*` all remaining parts. */
export class RedirectPattern {
    readonly #parts: { text: string; name?: string; expression?: string }[];

    static is(source: string): boolean {
        return /[:*]/.test(source);
    }

    /** @param source without slashes at its ends */
    constructor(source: string) {
        this.#parts = source.split("/").map((text) => {
            const [, name, star] = /^:([\w-]+)(\*)?$/.exec(text) ?? [];
            if (text !== "*" && name === undefined) {
                return { text };
            }
            return { text, name: name ?? "*", expression: text === "*" || star !== undefined ? ".*" : "[^/]+" };
        });
    }

    /** @param group returns the regular expression's group for the value at the index */
    toExpression(group: (expression: string, index: number) => string): string {
        let index = 0;
        return this.#parts
            .map(({ text, expression }) =>
                expression === undefined ? text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : group(expression, index++),
            )
            .join("/");
    }

    /** @returns the destination with each name replaced by its value */
    fill(destination: string, value: (index: number) => string): string {
        return this.#parts
            .flatMap(({ name }) => name ?? [])
            .reduce(
                (path, name, index) =>
                    path.replace(name === "*" ? "*" : new RegExp(`:${name}\\*?(?![\\w-])`), () => value(index)),
                destination,
            );
    }
}
