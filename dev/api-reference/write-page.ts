import { type Described, type DescribedMember } from "./describe-module.js";

export interface PageText {
    readonly title: string;
    readonly description: string;
    readonly introduction: string;
}

/** Writes the Markdown page with one row for each export; editors show the members from the package's declarations. */
export function writeOverview(text: PageText, exports: readonly Described[]): string {
    const rows = exports.map(({ name, doc, members }) => {
        const methods = members.filter(isMethod).map(({ name: method }) => `\`${method}\``);
        const listed = methods.length === 0 ? "" : ` Methods: ${methods.join(", ")}.`;
        return `| \`${name}\` | ${inCell(escapeText(firstSentence(doc)))}${listed} |`;
    });
    return joinPage(text, [["| Export | What it is or does |", "| --- | --- |", ...rows].join("\n")]);
}

/**
 * Writes the Markdown page with the inputs, outputs and types of resources.
 *
 * @param pageOf - the pages that describe a resource's outputs, or a type, so that this page does not
 */
export function writeResources(
    text: PageText,
    exports: readonly Described[],
    pageOf: Readonly<Record<string, string>>,
): string {
    const listed = exports.filter(({ name }) => !(name in pageOf));
    return joinPage(text, new ResourceSections(listed, pageOf).write());
}

/** Types of one member, and unions of texts, are shown with the members that have them, not in sections. */
class ResourceSections {
    readonly #listed: readonly Described[];
    readonly #pageOf: Readonly<Record<string, string>>;
    readonly #nested: ReadonlyMap<string, Described>;
    readonly #unions: ReadonlyMap<string, string>;

    constructor(listed: readonly Described[], pageOf: Readonly<Record<string, string>>) {
        this.#listed = listed;
        this.#pageOf = pageOf;
        this.#unions = new Map(
            listed.flatMap(({ name, kind, signature = "" }) =>
                kind === "type" && signature.startsWith('"') ? [[name, signature]] : [],
            ),
        );
        const types = listed.flatMap(({ members }) => members.map(({ type }) => plainType(type)));
        this.#nested = new Map(
            listed
                .filter(({ name, kind }) => kind === "interface" && types.filter((type) => type === name).length === 1)
                .map((each) => [each.name, each]),
        );
    }

    write(): string[] {
        return this.#listed
            .filter(({ name }) => !this.#nested.has(name) && !this.#unions.has(name))
            .map((each) => this.#writeSection(each));
    }

    #writeSection(described: Described): string {
        const { name, kind, doc, signature } = described;
        // The inputs, which are also outputs, have comments in the arguments' table.
        const members = described.members.filter((member) => kind !== "class" || member.doc !== "");
        const rows = members.flatMap((member) => this.#rowsOf(member, ""));
        const others = this.#describeOthers(members);
        return [
            `## ${name}`,
            // The comment of arguments says only whose arguments they are.
            ...(doc === "" || name.endsWith("Args") ? [] : [escapeText(firstParagraph(doc))]),
            ...(kind === "function" ? ["```text\n" + withoutInput(signature ?? "") + "\n```"] : []),
            ...(rows.length === 0
                ? []
                : [[`| ${headingOf(described)} | Meaning |`, "| --- | --- |", ...rows].join("\n")]),
            ...(others === "" ? [] : [others]),
        ].join("\n\n");
    }

    #rowsOf(member: DescribedMember, prefix: string): string[] {
        const type = plainType(member.type);
        const nested = this.#nested.get(type);
        if (member.inheritedFrom !== undefined || (member.doc === "" && nested === undefined)) {
            return [];
        }
        const { doc, members } = nested ?? { doc: "", members: [] };
        const path = `${prefix}${member.name}`;
        const meaning = [escapeText(member.doc || doc), this.#describeOthers(members)].filter(Boolean).join(" ");
        return [
            `| ${inCell(this.#writeMember(member, prefix, nested === undefined))} | ${inCell(meaning)} |`,
            ...members.flatMap((inner) => this.#rowsOf(inner, `${path}.`)),
        ];
    }

    #writeMember({ name, type, isOptional }: DescribedMember, prefix: string, withType: boolean): string {
        const shown = this.#unions.get(plainType(type)) ?? plainType(type);
        return `\`${prefix}${name}${isOptional ? "?" : ""}${withType ? `: ${shown}` : ""}\``;
    }

    /** Lists the members without a comment, and those that another type describes. */
    #describeOthers(members: readonly DescribedMember[]): string {
        const silent = members.filter(
            ({ doc, type, inheritedFrom }) =>
                doc === "" && inheritedFrom === undefined && !this.#nested.has(plainType(type)),
        );
        const inherited = Map.groupBy(members, ({ inheritedFrom }) => inheritedFrom ?? "");
        inherited.delete("");
        const list = (names: string[]) => new Intl.ListFormat("en", { style: "long" }).format(names);
        return [
            ...(silent.length === 0 ? [] : [`Also: ${list(silent.map((each) => this.#writeMember(each, "", true)))}.`]),
            ...[...inherited].map(([from, those]) => {
                const link = this.#pageOf[from] ?? `#${from.toLowerCase()}`;
                return `Also, of [${from}](${link}): ${list(those.map(({ name }) => `\`${name}\``))}.`;
            }),
        ].join(" ");
    }
}

function headingOf({ name, kind }: Described): string {
    return kind === "class" ? "Output" : name.endsWith("Args") ? "Input" : "Field";
}

function joinPage({ title, description, introduction }: PageText, sections: readonly string[]): string {
    const head = `---\ntitle: ${title}\ndescription: ${description}\n---`;
    return `${[head, introduction, ...sections].join("\n\n")}\n`;
}

/** Returns the type of the value: inputs also accept outputs of this type, and outputs hold it. */
function plainType(type: string): string {
    return withoutInput(type).replace(/^pulumi\.Output<(.*)>$/, "$1");
}

function withoutInput(type: string): string {
    const plain = type.replace(/\bpulumi\.Input<((?:[^<>]|<[^<>]*>)*)>/g, "$1");
    return plain === type ? type : withoutInput(plain);
}

function isMethod({ type }: DescribedMember): boolean {
    return /^[(<]/.test(type);
}

function firstParagraph(doc: string): string {
    return doc.split("\n\n", 1)[0] ?? "";
}

/** Returns the first sentence, without the heading of the contract that it cites. */
function firstSentence(doc: string): string {
    const [sentence = doc] = /^[^]*?\.(?=\s|$)/.exec(doc.replace(/\s+\(docs\/[^]*?"[^"]*"\)/, "")) ?? [];
    return sentence;
}

function inCell(text: string): string {
    return text.replace(/\s+/g, " ").replaceAll("|", "\\|");
}

/** Escapes characters that Markdown would read as a tag. */
function escapeText(text: string): string {
    return text.replace(/(`[^`]*`)|</g, (_whole, code?: string) => code ?? "&lt;");
}
