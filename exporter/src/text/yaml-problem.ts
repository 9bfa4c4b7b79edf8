import type * as Yaml from "yaml";

const reasons: Readonly<Partial<Record<Yaml.ErrorCode, string>>> = {
    ALIAS_PROPS: "a string that begins with * or & must be in quotes",
    BAD_ALIAS: "a string that begins with * or & must be in quotes",
    BAD_DQ_ESCAPE:
        "in double quotes, a backslash begins a special character: write two backslashes, or use single quotes",
    BAD_INDENT: "a bracket has no end, or a line is not indented like its neighbours",
    BAD_SCALAR_START: "a string that begins with @, % or a backquote must be in quotes",
    BLOCK_AS_IMPLICIT_KEY: 'a string that contains a colon and a space must be in quotes, such as "Install: it"',
    DUPLICATE_KEY: "the key occurs twice: remove one of the two lines",
    KEY_OVER_1024_CHARS: "a key has more than 1024 characters",
    MISSING_CHAR: "a quotation mark or a bracket has no end",
    MULTILINE_IMPLICIT_KEY: "the line is not a key and a value, such as title: Start",
    MULTIPLE_DOCS: "the text contains a line of only ---",
    TAB_AS_INDENT: "a tab cannot indent a line: use spaces",
    TAG_RESOLVE_FAILED: "a string that begins with ! must be in quotes",
    UNEXPECTED_TOKEN: "text follows the end of a value: put the whole value in quotes",
};

/** What is wrong with a YAML text, in terms of what its author wrote. */
export function yamlProblem({ code }: Pick<Yaml.YAMLError, "code">): string {
    return reasons[code] ?? "a value cannot be read: put it in quotes";
}
