import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import ts from "typescript";

/** The rooms whose texts leave the process: answers, files, messages and logs. */
const rooms = ["contract", "sdk", "provider", "exporter", "answer", "service", "cli"];

/** Matches the argument of `slice` that is a limit for the length, instead of a place that was found in the text. */
const limit = /^-?\d{2,}$|\bmax|\blimit|[a-z]Length\b|[cC]haracters|\bkept|\bsize/;

/** Texts that contain only ASCII characters, such as digests and times. */
const isPlain =
    /digest|hash|sha256|toISOString|commit\b|versions|"string"|^(?:date|at|since|job\.createdAt|service\.startedAt|key\.expiresAt)$/i;

/** Files that cut texts for their own use, or whose limits also keep secrets whole. Each with the reason. */
const exceptions: readonly (readonly [file: RegExp, reason: string])[] = [
    [/^contract\/src\/text\/cut-text\.ts$/, "cuts the texts"],
    [/^contract\/src\/search\/(?:words|word-forms|section-scores)\.ts$/, "compares the terms, and shows none"],
    [/^contract\/src\/missing-package\.ts$/, "cuts a path at a place that was found"],
    [/^service\/src\/(?:builds\/build-log|agents\/agent-log)\.ts$/, "cuts at a distance from secrets"],
    [/^cli\/src\/report\/clean-text\.ts$/, "cuts between secrets, and then between code points"],
    [/^cli\/src\/comment\/write-comment\.ts$/, "cuts a digest"],
    [/^cli\/src\/export\/progress-display\.ts$/, "cuts the names of a terminal's line"],
    [/^service\/src\/pods\/pod-job\.ts$/, "cuts a name of letters and digits"],
    [
        /^exporter\/src\/(?:read\/markdown\/(?:page-text\/regions|gitbook-tags|tags-in-text|formula-dollars)|read\/readers\/misplaced-settings|render\/agents\/page-text|write\/agents\/shown-markdown|render\/code\/fence-meta)\.ts$/,
        "reads a part of a source",
    ],
    [/^exporter\/src\/write\/(?:output\/tar-header|generated\/feed)\.ts$/, "cuts at a separator"],
    [/^exporter\/src\/api\/parts\/sample\.ts$/, "cuts the word string"],
];

describe("Texts that leave a process", () => {
    it("are cut by beginningOf or endOf, so that no emoji is cut in two", () => {
        const files = rooms.flatMap((room) =>
            readdirSync(`${room}/src`, { recursive: true, encoding: "utf8" })
                .filter((file) => /\.tsx?$/.test(file))
                .map((file) => `${room}/src/${file.replaceAll("\\", "/")}`),
        );
        const program = ts.createProgram(files, {
            module: ts.ModuleKind.NodeNext,
            target: ts.ScriptTarget.ES2023,
            strict: true,
            noEmit: true,
            skipLibCheck: true,
            jsx: ts.JsxEmit.ReactJSX,
            jsxImportSource: "preact",
            types: ["node"],
        });
        const cuts = files
            .filter((file) => !exceptions.some(([pattern]) => pattern.test(file)))
            .flatMap((file) => cutsIn(program, file));
        assert.deepEqual(cuts, [], "use beginningOf or endOf of @pulumi-static-export/contract instead of slice");
    });
});

function cutsIn(program: ts.Program, file: string): string[] {
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    assert.ok(source, file);
    const cuts: string[] = [];
    const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
            const { name, expression: text } = node.expression;
            const isCut = ["slice", "substring", "substr"].includes(name.text);
            if (
                isCut &&
                node.arguments.some((argument) => limit.test(argument.getText())) &&
                !isPlain.test(text.getText()) &&
                isString(checker.getTypeAtLocation(text))
            ) {
                const line = source.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
                cuts.push(`${file}:${line}: ${node.getText().replace(/\s+/g, " ")}`);
            }
        }
        ts.forEachChild(node, visit);
    };
    visit(source);
    return cuts;
}

function isString(type: ts.Type): boolean {
    return (type.isUnion() ? type.types : [type]).some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0);
}
