/**
 * Writes the plugin's schema: the inputs and outputs of resources from the types and doc comments of the npm package,
 * everything else from schema-base.json. Runs before anything is compiled, so it is plain JavaScript.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const sourceFolder = join(here, "..", "provider", "src");
const entries = ["index.ts", "site.ts"].map((name) => join(sourceFolder, name));
const schemaFile = join(here, "src", "schema.json");
const prefix = "static-export:index:";

/** @returns {Promise<Record<string, unknown>>} the schema, with the placeholders of a release's owner */
async function createSchema() {
    const { default: ts } = await import("typescript");
    const readJson = (name) => JSON.parse(readFileSync(join(here, name), "utf8"));
    const { settings: described, integers, types, resources, functions, ...base } = readJson("schema-base.json");
    const secrets = await readSecretSettings(ts);
    const settings = Object.fromEntries(
        Object.entries(described).map(([name, own]) => [
            name,
            { type: "string", ...own, ...(secrets.includes(`static-export:${name}`) && { secret: true }) },
        ]),
    );
    const examples = readJson("examples.json");
    const writer = new TypeWriter(readTypes(ts), Object.keys(types), new Set(integers));
    const withExample = (name, value) => {
        // A new resource has no example until `npm run schema-examples` has used its schema.
        const description = [value.description, examples[name] ?? []].flat().join("\n\n");
        return { ...value, description };
    };
    return {
        ...base,
        config: { variables: settings },
        provider: { ...base.provider, inputProperties: settings },
        types: named(types, (name, own) => writer.type(name, own)),
        resources: named(resources, (name, own) => withExample(name, writer.resource(name, own))),
        functions: named(functions, (name, own) => withExample(name, writer.function(name, own))),
    };
}

/** The names of the settings that are always encrypted: the contract lists them. */
async function readSecretSettings(ts) {
    const source = readFileSync(join(here, "..", "contract", "src", "stack-settings.ts"), "utf8");
    const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext } });
    const { secretSettings } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
    return secretSettings;
}

function named(members, write) {
    return Object.fromEntries(Object.entries(members).map(([name, own]) => [prefix + name, write(name, own)]));
}

/** Writes types of the npm package as types of the schema. Values of schema-base.json take precedence. */
class TypeWriter {
    constructor(described, typeNames, integers) {
        this.described = described;
        this.typeNames = typeNames;
        this.integers = integers;
    }

    type(name, { of = name, properties: own, ...others }) {
        const { description, members } = this.described.get(of) ?? this.described.get(`${of}Args`);
        const { properties, required } = this.#object(members, own);
        return { type: "object", description, properties, ...(required.length > 0 && { required }), ...others };
    }

    resource(name, { inputs, outputs, replacing = [], ...others }) {
        const { description, members } = this.described.get(name);
        const isComponent = others.isComponent === true;
        const input = this.#object(this.described.get(`${name}Args`).members, inputs, isComponent);
        const declared = this.described.get(`${name}Args`).members.filter(([, { isReplacing }]) => isReplacing);
        for (const each of new Set([...(isComponent ? [] : declared.map(([member]) => member)), ...replacing])) {
            Object.assign(input.properties[each], { willReplaceOnChanges: true });
        }
        const all = members.filter(
            ([member, { type }]) => type.startsWith("pulumi.Output<") && !member.startsWith("#"),
        );
        const output = this.#object(
            all.filter(
                ([member, { description: text }]) => !(member in input.properties) || isComponent || text !== "",
            ),
            outputs,
        );
        for (const [member] of all.filter(([, { isSecret }]) => isSecret)) {
            Object.assign(output.properties[member], { secret: true });
        }
        return {
            description,
            ...(!isComponent && { aliases: [{ type: `pulumi-nodejs:dynamic/static-export:${name}` }] }),
            inputProperties: input.properties,
            requiredInputs: input.required,
            properties: isComponent ? output.properties : { ...input.properties, ...output.properties },
            required: isComponent ? output.required : [...new Set([...input.required, ...output.required])],
            ...others,
        };
    }

    function(name, { inputs, outputs, ...own }) {
        const objectOf = ({ of, properties }) => ({
            type: "object",
            ...this.#object(this.described.get(of).members, properties),
        });
        return { inputs: objectOf(inputs), outputs: objectOf(outputs), ...own };
    }

    /** @param own properties that differ from the members; null for a member that the schema does not have */
    #object(members, own = {}, isComponent = false) {
        const names = [...members.map(([name]) => name), ...Object.keys(own)];
        const inSchema = [...new Set(names)].filter((name) => own[name] !== null);
        const byName = new Map(members);
        const properties = inSchema.map((name) => {
            const member = byName.get(name);
            // JSON has no undefined values.
            const given = { ...own[name], isRequired: undefined };
            const { description } = member ?? {};
            const isGiven = given.type !== undefined || given.$ref !== undefined;
            const ofType = member && !isGiven ? this.#typeOf(name, member, isComponent) : {};
            return [name, { ...ofType, ...(member && { description }), ...given }];
        });
        const required = inSchema.filter((name) => own[name]?.isRequired ?? byName.get(name)?.isRequired);
        return { properties: Object.fromEntries(properties), required };
    }

    #typeOf(name, { type }, isComponent) {
        const [, wrapped] = /^pulumi\.(?:Input|Output)<(.*)>$/.exec(type) ?? [];
        const shape = this.#shape(name, (wrapped ?? type).replace(/ \| undefined$/, ""));
        const isPlain = isComponent && wrapped === undefined && shape.$ref === undefined && !type.startsWith("Record<");
        return { ...shape, ...(isPlain && { plain: true }) };
    }

    #shape(name, type) {
        const [, item] = /^(?:readonly )?(?:pulumi\.Input<)?(\w+)>?\[\]$/.exec(type) ?? [];
        const [, value] = /^Record<string, (?:pulumi\.Input<)?(\w+)>?>$/.exec(type) ?? [];
        const reference = type.replace(/Args$/, "");
        if (item !== undefined) {
            return { type: "array", items: this.#shape(name, item) };
        }
        if (value !== undefined) {
            return { type: "object", additionalProperties: this.#shape(name, value) };
        }
        if (type === "unknown") {
            return { $ref: "pulumi.json#/Any" };
        }
        if (this.typeNames.includes(reference)) {
            return { $ref: `#/types/${prefix}${reference}` };
        }
        if (type === "number") {
            return { type: this.integers.has(name) ? "integer" : "number" };
        }
        if (!/^(?:string|boolean|".*)$/.test(type)) {
            throw new Error(`The type ${type} of ${name} has to be described in plugin/schema-base.json.`);
        }
        return { type: type === "boolean" ? "boolean" : "string" };
    }
}

/** The part of TypeScript's library that the types use. */
const utilityTypes = `
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Exclude<T, U> = T extends U ? never : T;
type Record<K extends keyof any, T> = { [P in K]: T };
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
`;

/** The members and the comments of the exported types, by name. Resolves only files of this repository. */
function readTypes(ts) {
    const host = ts.createCompilerHost({});
    const library = ts.createSourceFile("library.d.ts", utilityTypes, ts.ScriptTarget.ES2022);
    const program = ts.createProgram(
        [library.fileName, ...entries],
        { noLib: true, types: [] },
        {
            ...host,
            getSourceFile: (file, ...others) =>
                file === library.fileName ? library : host.getSourceFile(file, ...others),
            resolveModuleNameLiterals: (literals, file) =>
                literals.map(({ text }) => {
                    const resolvedFileName = text.startsWith(".")
                        ? resolve(dirname(file), text.replace(/\.js$/, ".ts"))
                        : undefined;
                    return { resolvedModule: resolvedFileName && { resolvedFileName, extension: ".ts" } };
                }),
        },
    );
    const checker = program.getTypeChecker();
    const exported = entries.flatMap((entry) => {
        return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)));
    });
    return new Map(
        exported.map((symbol) => {
            const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
            const members = checker
                .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(origin))
                .map((member) => [member, typeTextOf(ts, member.declarations?.[0])])
                .filter(([, text]) => text !== undefined)
                .map(([member, text]) => [
                    member.name,
                    {
                        type: text,
                        isReplacing: creatorOf(member.declarations[0]) === "replaces",
                        isSecret: creatorOf(member.declarations[0]) === "secret",
                        isRequired: (member.flags & ts.SymbolFlags.Optional) === 0 && !/\| undefined\b/.test(text),
                        description: commentOf(ts, member, checker),
                    },
                ]);
            return [origin.name, { description: commentOf(ts, origin, checker), members }];
        }),
    );
}

/**
 * The type of a member, as its declaration or the entry of a table names it: `updates<string>(…)` is an input, and
 * `secret<string>()` an output. Undefined for members without a type, such as methods.
 */
function typeTextOf(ts, declaration) {
    const isEntry = declaration && ts.isPropertyAssignment(declaration);
    const type = isEntry ? declaration.initializer.typeArguments?.[0] : declaration?.type;
    const text = type?.getText().replace(/\s+/g, " ");
    const wrapper = /^(?:output|secret|input)$/.test(creatorOf(declaration)) ? "Output" : "Input";
    return isEntry && text !== undefined ? `pulumi.${wrapper}<${text}>` : text;
}

/** The function that creates the entry of a table. */
function creatorOf(declaration) {
    return declaration?.initializer?.expression?.getText();
}

/** The comment on one line a paragraph, with its `@default`. */
function commentOf(ts, symbol, checker) {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    const [initial] = symbol.getJsDocTags(checker).filter(({ name }) => name === "default");
    const tag = initial && `Default: ${ts.displayPartsToString(initial.text)}.`;
    const paragraphs = text.split("\n\n").map((each) => each.replace(/\s+/g, " ").trim());
    return [paragraphs.filter(Boolean).join("\n\n"), tag]
        .filter(Boolean)
        .join(" ")
        .replace(/\{@link (\w+) ?\}/g, "$1");
}

// Writes the schema only if it is missing, or older than its sources.
const writtenAt = statSync(schemaFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
    ...["schema-base.json", "examples.json", "write-schema.mjs"].map((name) => join(here, name)),
    ...readdirSync(sourceFolder, { recursive: true }).map((name) => join(sourceFolder, name)),
];
if (sources.some((file) => statSync(file).mtimeMs > writtenAt)) {
    writeFileSync(schemaFile, `${JSON.stringify(await createSchema(), undefined, 2)}\n`);
}
