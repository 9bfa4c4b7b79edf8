import type { Node, Program } from "estree-jsx";
import { parseModule } from "../../text/script-parser.js";
import { withoutTypes } from "./without-types.js";

interface Import {
    readonly specifier: string;
    readonly names: ReadonlySet<string>;
}

/** A script with settings, in a form that the engine can run. */
export class SettingsScript {
    constructor(
        private readonly text: string,
        readonly imports: readonly Import[],
        /** Relative paths in calls to `require`. */
        private readonly required: ReadonlySet<string>,
        private readonly isCommonJs: boolean,
    ) {}

    /** @param exports the properties of `module.exports` that other files import by name */
    code(exports: string): string {
        const paths = [...this.required].map((path) => JSON.stringify(path));
        const imports = paths.map((path, at) => `import * as __required${at} from ${path};\n`).join("");
        const modules = paths.map((path, at) => `${path}: __required${at}`).join(", ");
        const meta = this.text.includes("import.meta") ? "Object.assign(import.meta, __meta);\n" : "";
        const start = meta + (paths.length === 0 ? "" : `${imports}const require = __requireOf({ ${modules} });\n`);
        return this.isCommonJs
            ? `${start}const module = { exports: {} }, exports = module.exports;\n${this.text}\n` +
                  `export default module.exports;\n${exports}`
            : start + this.text;
    }
}

/** @throws Error with the reason if the script does not parse */
export function parseSettingsScript(file: string, source: string): SettingsScript {
    const written = /\.[cm]?ts$/.test(file) ? withoutTypes(source) : source;
    const program = parseModule(written);
    const { text, imports, wholes } = readImports(written, program);
    const required = new Set<string>();
    visit(program, (node) => {
        if (node.type === "MemberExpression" && node.object.type === "Identifier") {
            const { property } = node;
            if (!node.computed && property.type === "Identifier") {
                wholes.get(node.object.name)?.add(property.name);
            }
        } else if (node.type === "ImportExpression" && node.source.type === "Literal") {
            imports.push({ specifier: String(node.source.value), names: new Set() });
        } else if (node.type === "CallExpression" && node.callee.type === "Identifier") {
            const path = node.callee.name === "require" ? node.arguments[0] : undefined;
            if (path?.type === "Literal" && typeof path.value === "string" && /^\.{1,2}\//.test(path.value)) {
                required.add(path.value);
            }
        }
    });
    required.forEach((specifier) => imports.push({ specifier, names: new Set() }));
    return new SettingsScript(text, imports, required, !program.body.some(isExport));
}

/** The static imports, and the text without their attributes (`with { type: "json" }`), which the engine rejects. */
function readImports(
    written: string,
    { body }: Program,
): {
    text: string;
    imports: Import[];
    /** The properties of each `import * as name` that the code uses. */
    wholes: ReadonlyMap<string, Set<string>>;
} {
    const imports: Import[] = [];
    const wholes = new Map<string, Set<string>>();
    let text = "";
    let end = 0;
    for (const node of body) {
        if (!("source" in node) || node.source === null || node.source === undefined) {
            continue;
        }
        if ((node.attributes?.length ?? 0) > 0) {
            text += `${written.slice(end, endOf(node.source))};`;
            end = endOf(node);
        }
        const names = new Set<string>();
        imports.push({ specifier: String(node.source.value), names });
        for (const each of "specifiers" in node ? node.specifiers : []) {
            if (each.type === "ImportNamespaceSpecifier") {
                wholes.set(each.local.name, names);
            } else if (each.type !== "ImportDefaultSpecifier") {
                const imported = each.type === "ImportSpecifier" ? each.imported : each.local;
                names.add(imported.type === "Identifier" ? imported.name : String(imported.value));
            }
        }
    }
    return { text: text + written.slice(end), imports, wholes };
}

/** The end of a node, which the parser's types do not contain. */
function endOf(node: Node): number {
    return (node as unknown as { readonly end: number }).end;
}

/** Ignores the empty export that the TypeScript compiler adds to mark modules. */
function isExport(node: Program["body"][number]): boolean {
    return /^Export/.test(node.type) && !(node.type === "ExportNamedDeclaration" && isEmpty(node));
}

function isEmpty(node: { readonly declaration?: unknown; readonly specifiers: readonly unknown[] }): boolean {
    return (node.declaration ?? undefined) === undefined && node.specifiers.length === 0;
}

function visit(node: Node, use: (node: Node) => void): void {
    use(node);
    for (const value of Object.values(node) as unknown[]) {
        for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
            if (typeof each === "object" && each !== null && "type" in each) {
                visit(each as Node, use);
            }
        }
    }
}
