import { type Described, type DescribedMember } from "./describe-module.js";

/** The exports that each page describes, by the page's path. A resource's inputs are on the same page. */
export type Subjects = Readonly<Record<string, readonly string[]>>;

/** Writes one row for each class, and a list of functions; editors show the comments of both. */
export function writeOverview(exports: readonly Described[]): string {
    const rows = exports
        .filter(({ kind }) => kind !== "function")
        .map(({ name, doc, members }) => {
            const methods = members.filter(isMethod).map(({ name: method }) => `\`${method}\``);
            const listed = methods.length === 0 ? "" : ` Methods: ${methods.join(", ")}.`;
            return `| \`${name}\` | ${inCell(escapeText(withoutLinks(firstSentence(doc))))}${listed} |`;
        });
    const functions = exports.filter(({ kind }) => kind === "function").map(({ name }) => `\`${name}\``);
    return [
        ["| Class or interface | What it is |", "| --- | --- |", ...rows].join("\n"),
        `The functions are ${list(functions)}.`,
    ].join("\n\n");
}

/** Writes the pages of resources: what each one is, an example, its inputs and its outputs. */
export class ResourcePages {
    readonly #exports: ReadonlyMap<string, Described>;
    readonly #subjects: Subjects;

    constructor(exports: readonly Described[], subjects: Subjects) {
        this.#exports = new Map(exports.map((each) => [each.name, each]));
        this.#subjects = subjects;
    }

    write(): Map<string, string> {
        return new Map(
            Object.entries(this.#subjects).map(([page, names]) => [
                page,
                names.flatMap((name) => this.#writeSubject(this.#get(name))).join("\n\n"),
            ]),
        );
    }

    #writeSubject(described: Described): string[] {
        const { name, kind, doc, signature = "" } = described;
        if (kind === "class") {
            return this.#writeResource(described);
        }
        return [
            `## ${name}`,
            this.#text(doc),
            ...(kind === "function"
                ? ["```text\n" + withoutInput(signature) + "\n```"]
                : [this.#writeTable("Field", this.#rowsOf(described))]),
        ];
    }

    #writeResource(described: Described): string[] {
        const { name, doc, example = "", members } = described;
        const inputs = this.#get(`${name}Args`);
        const outputs = { ...described, members: members.filter((each) => each.doc !== "") };
        const both = members.filter((each) => each.doc === "").map((each) => `\`${each.name}\``);
        return [
            this.#text(doc),
            "## Example",
            example,
            "## Inputs",
            this.#writeTable("Input (`?`: optional)", this.#rowsOf(inputs)),
            ...this.#describeInherited(inputs.members),
            "## Outputs",
            this.#writeTable("Output", this.#rowsOf(outputs)),
            ...(both.length === 0 ? [] : [`Outputs that are also inputs: ${list(both)}.`]),
        ];
    }

    #writeTable(heading: string, rows: readonly string[]): string {
        return [`| ${heading} | Type | Meaning |`, "| --- | --- | --- |", ...rows].join("\n");
    }

    #rowsOf({ members }: Described, prefix = ""): string[] {
        return members
            .filter(({ inheritedFrom }) => inheritedFrom === undefined)
            .flatMap((member) => {
                const type = plainType(member.type);
                const args = member.type.startsWith("pulumi.Input<") ? this.#exports.get(`${type}Args`) : undefined;
                const nested = args ?? this.#exports.get(type);
                const isRecord = nested?.kind === "interface";
                const path = `${prefix}${member.name}`;
                const meaning = [
                    this.#text(member.doc || (nested?.doc ?? "")),
                    ...(isRecord ? this.#describeInherited(nested.members) : []),
                ];
                const shown = isRecord ? "object" : `\`${nested?.kind === "type" ? nested.signature : type}\``;
                const isOptional = member.isOptional || / \| undefined\b/.test(member.type);
                return [
                    `| \`${path}${isOptional ? "?" : ""}\` | ${inCell(shown)} | ${inCell(meaning.join(" "))} |`,
                    ...(isRecord ? this.#rowsOf(nested, `${path}.`) : []),
                ];
            });
    }

    /** Lists the inputs that another resource's page describes. */
    #describeInherited(members: readonly DescribedMember[]): string[] {
        const inherited = Map.groupBy(members, ({ inheritedFrom }) => inheritedFrom ?? "");
        inherited.delete("");
        return [...inherited].map(([from, those]) => {
            const resource = from.replace(/Args$/, "");
            const order = this.#get(from).members.map(({ name }) => name);
            const names = those.map(({ name }) => name).sort((a, b) => order.indexOf(a) - order.indexOf(b));
            const inputs = list(names.map((name) => `\`${name}\``));
            return `Also accepts these inputs of [${resource}](${this.#pageOf(resource)}#inputs): ${inputs}.`;
        });
    }

    #text(doc: string): string {
        return escapeText(doc.replace(link, (_whole, name: string) => `[${name}](${this.#pageOf(name)})`));
    }

    #pageOf(name: string): string {
        const [page] = Object.entries(this.#subjects).find(([, names]) => names.includes(name)) ?? [];
        if (page === undefined) {
            throw new Error(`A doc comment links to ${name}, which has no page.`);
        }
        return page.replace("docs/reference/", "./");
    }

    #get(name: string): Described {
        const described = this.#exports.get(name);
        if (described === undefined) {
            throw new Error(`There is no export ${name}.`);
        }
        return described;
    }
}

const link = /\{@link (\w+) ?\}/g;

function withoutLinks(doc: string): string {
    return doc.replace(link, "$1");
}

function list(names: readonly string[]): string {
    return new Intl.ListFormat("en", { style: "long" }).format(names);
}

/** Returns the type of the value: inputs also accept outputs of this type, and outputs hold it. */
function plainType(type: string): string {
    return withoutInput(type)
        .replace(/^pulumi\.Output<(.*)>$/, "$1")
        .replace(/ \| undefined$/, "");
}

function withoutInput(type: string): string {
    const plain = type.replace(/\bpulumi\.Input<((?:[^<>]|<[^<>]*>)*)>/g, "$1");
    return plain === type ? type : withoutInput(plain);
}

function isMethod({ type }: DescribedMember): boolean {
    return /^[(<]/.test(type);
}

/** Returns the first sentence up to a semicolon, without the heading of the contract that it cites. */
function firstSentence(doc: string): string {
    const [sentence = doc] = /^[^]*?\.(?=\s|$)/.exec(doc.replace(/\s+\(docs\/[^]*?"[^"]*"\)/, "")) ?? [];
    return sentence.replace(/;\s[^]*$/, ".");
}

function inCell(text: string): string {
    return text.replace(/\s+/g, " ").replaceAll("|", "\\|");
}

/** Escapes characters that Markdown would read as a tag. */
function escapeText(text: string): string {
    return text.replace(/(`[^`]*`)|</g, (_whole, code?: string) => code ?? "&lt;");
}
