import ts from "typescript";

/** The exports of a package, in the form that the Markdown pages show. */
export interface Described {
    name: string;
    kind: "class" | "interface" | "function" | "type" | "constant";
    doc: string;
    /** The code block in `@example`. */
    example?: string;
    /** This field is set only for functions, types and constants. */
    signature?: string;
    members: DescribedMember[];
}

export interface DescribedMember {
    name: string;
    /** The interface that declares the member, if another one inherits it. */
    inheritedFrom?: string;
    type: string;
    isOptional: boolean;
    doc: string;
}

/** Reads an entry point's exports and their doc comments. */
export function describeModule(program: ts.Program, entry: string): Described[] {
    const checker = program.getTypeChecker();
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) {
        throw new Error(`There is no module ${entry}.`);
    }
    return checker
        .getExportsOfModule(module)
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
        .map((symbol) => describe(symbol, checker));
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker): Described {
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined) {
        throw new Error(`${symbol.name} is declared nowhere.`);
    }
    const example = symbol.getJsDocTags(checker).find(({ name }) => name === "example");
    const common = {
        name: symbol.name,
        doc: docOf(symbol, checker),
        ...(example === undefined ? {} : { example: ts.displayPartsToString(example.text) }),
        members: [],
    };
    if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
        const members = checker
            .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
            // A class that is extended has a section itself.
            .filter((member) => !ts.isClassDeclaration(declaration) || isOwn(member, declaration))
            .flatMap((member) => describeMember(member, symbol, checker));
        const constructors = ts.isClassDeclaration(declaration)
            ? declaration.members.filter(ts.isConstructorDeclaration)
            : [];
        return {
            ...common,
            kind: ts.isClassDeclaration(declaration) ? "class" : "interface",
            ...(constructors[0] === undefined
                ? {}
                : { signature: `new ${symbol.name}${parametersOf(constructors[0])}` }),
            members,
        };
    }
    if (ts.isFunctionDeclaration(declaration)) {
        return { ...common, kind: "function", signature: `${symbol.name}${signatureOf(declaration)}` };
    }
    if (ts.isTypeAliasDeclaration(declaration)) {
        const signature = oneLine(declaration.type.getText());
        const members = /^(Pick|Omit|ArgsOf)</.test(signature)
            ? checker
                  .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
                  .flatMap((member) => describeMember(member, undefined, checker))
            : [];
        return { ...common, kind: "type", signature, members };
    }
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    return { ...common, kind: "constant", signature: checker.typeToString(type) };
}

/** Whether the class, or its table of outputs, declares the member. */
function isOwn(member: ts.Symbol, declaration: ts.ClassDeclaration): boolean {
    return (member.declarations ?? []).some(
        (each) => each.parent === declaration || each.parent.parent === declaration || ts.isPropertyAssignment(each),
    );
}

/**
 * Describes a public member that this repository declares; omits private and internal members, and those of Pulumi or
 * the language.
 *
 * @param owner - the type whose members inherit from no other; undefined for a selection of another type's members
 */
function describeMember(member: ts.Symbol, owner: ts.Symbol | undefined, checker: ts.TypeChecker): DescribedMember[] {
    const [declaration] = member.declarations ?? [];
    const isOurs =
        declaration !== undefined && /\/(contract|sdk|provider)\/src\//.test(declaration.getSourceFile().fileName);
    const isPublic =
        isOurs && !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
    const isInternal = ts
        .getJSDocTags(declaration ?? ({} as ts.Node))
        .some(({ tagName }) => tagName.text === "internal");
    if (!isPublic || isInternal || /^#|^__/.test(member.name)) {
        return [];
    }
    const inheritedFrom = ownerOf(declaration, owner);
    return [
        {
            name: member.name,
            ...(inheritedFrom === undefined || inheritedFrom === owner?.name || owner === undefined
                ? {}
                : { inheritedFrom }),
            type: typeOf(member, declaration, checker),
            isOptional: Boolean(member.flags & ts.SymbolFlags.Optional),
            doc: docOf(member, checker),
        },
    ];
}

/** The name of the type that declares a member; a table of inputs declares the members of the arguments' type. */
function ownerOf({ parent }: ts.Declaration, owner: ts.Symbol | undefined): string | undefined {
    if (ts.isInterfaceDeclaration(parent)) {
        return parent.name.text;
    }
    const [declaration] = owner?.declarations ?? [];
    const bases = declaration && ts.isInterfaceDeclaration(declaration) ? declaration.heritageClauses : undefined;
    return /\b\w+Args\b/.exec(bases?.[0]?.getText() ?? "")?.[0] ?? owner?.name;
}

/** The type of an entry in a table, such as `updates<string>(…)` or `output<string>()`; undefined for other members. */
function entryTypeOf(declaration: ts.Declaration): string | undefined {
    if (!ts.isPropertyAssignment(declaration) || !ts.isCallExpression(declaration.initializer)) {
        return undefined;
    }
    const { typeArguments: [type] = [], expression } = declaration.initializer;
    if (type === undefined) {
        throw new Error(`The entry ${declaration.name.getText()} needs the type of its values: updates<string>(…).`);
    }
    const wrapper = /^(output|secret|input)$/.test(expression.getText()) ? "Output" : "Input";
    return `pulumi.${wrapper}<${type.getText()}>`;
}

function typeOf(member: ts.Symbol, declaration: ts.Declaration, checker: ts.TypeChecker): string {
    if (ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration)) {
        return signatureOf(declaration);
    }
    const written = entryTypeOf(declaration) ?? (declaration as ts.PropertyDeclaration).type?.getText();
    return oneLine(written ?? checker.typeToString(checker.getTypeOfSymbolAtLocation(member, declaration)));
}

function signatureOf(declaration: ts.SignatureDeclaration): string {
    return oneLine(`${parametersOf(declaration)}: ${declaration.type?.getText() ?? "void"}`);
}

function parametersOf(declaration: ts.SignatureDeclaration): string {
    const generic = declaration.typeParameters?.map((each) => each.getText()).join(", ");
    const parameters = declaration.parameters.map(({ name, type, questionToken, initializer }) => {
        // A destructured parameter is shown as one argument.
        const shown = ts.isIdentifier(name) ? name.text : "options";
        return `${shown}${questionToken || initializer ? "?" : ""}: ${type?.getText() ?? "unknown"}`;
    });
    return oneLine(`${generic === undefined ? "" : `<${generic}>`}(${parameters.join(", ")})`);
}

/** Returns the comment text with its links, and its `@default` and `@throws` tags. */
function docOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    const tags = symbol.getJsDocTags(checker).map(({ name, text: parts }) => {
        const said = ts.displayPartsToString(parts).replace(/^- /, "");
        switch (name) {
            case "default":
                return `Default: ${said}.`;
            case "throws":
                return `Throws ${said}.`;
            default:
                return "";
        }
    });
    return [text, ...tags.filter(Boolean)]
        .map((each) => each.trim())
        .filter(Boolean)
        .join("\n\n");
}

function oneLine(text: string): string {
    return text
        .replace(/\/\*[^]*?\*\//g, "")
        .replace(/\s+/g, " ")
        .replace(/([(<]) /g, "$1")
        .replace(/,? ([)>])(?!=)/g, (whole, end: string) => (whole.startsWith(",") ? end : whole))
        .trim();
}
