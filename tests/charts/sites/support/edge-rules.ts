interface Reader {
    readonly isSignedIn: boolean;
    readonly groups: readonly string[];
}

interface EdgeRules {
    assertForm(rules: string): void;
    partOf(path: string, parts: number): number;
    mayRead(
        rules: string,
        parts: number | undefined,
        path: string,
        file: string,
        reader: Reader,
        separator: string,
    ): { may: boolean; isPrivate: boolean };
    followPattern(map: string, path: string, args?: string): string | undefined;
}

const file = new URL("../../../../charts/documentation-sites/files/rules.js", import.meta.url);

/** The functions that the chart's nginx runs, in Node.js. */
export const edgeRules = ((await import(file.href)) as { default: EdgeRules }).default;
