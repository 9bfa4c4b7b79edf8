/** A Pulumi program in YAML, with the parts that the examples use. */
export interface YamlProgram {
    readonly config?: Readonly<Record<string, { readonly type: string }>>;
    readonly variables?: Readonly<Record<string, { readonly "fn::invoke": Invocation }>>;
    readonly resources?: Readonly<Record<string, { readonly type: string; readonly properties: object }>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
}

interface Invocation {
    readonly function: string;
    readonly arguments: object;
}

/** Translates a program into Pulumi's configuration language, which Pulumi's generators read. */
export function pclOf({ config = {}, variables = {}, resources = {}, outputs = {} }: YamlProgram): string {
    return [
        ...Object.entries(config).map(([name, { type }]) => `config ${name} "${type}" {}`),
        ...Object.entries(variables).map(
            ([name, { "fn::invoke": call }]) =>
                `${name} = invoke("${tokenOf(call.function)}", ${expression(call.arguments)})`,
        ),
        ...Object.entries(resources).map(
            ([name, { type, properties }]) => `resource ${name} "${tokenOf(type)}" {\n${attributes(properties)}\n}`,
        ),
        ...Object.entries(outputs).map(([name, value]) => `output ${name} { value = ${expression(value)} }`),
    ].join("\n");
}

function tokenOf(short: string): string {
    return short.replace(":", ":index:");
}

function attributes(properties: object): string {
    return Object.entries(properties)
        .map(([name, value]) => `${name} = ${expression(value)}`)
        .join("\n");
}

function expression(value: unknown): string {
    if (typeof value === "object" && value !== null) {
        const members = Array.isArray(value)
            ? value.map(expression)
            : Object.entries(value).map(([name, each]) => `${keyOf(name)} = ${expression(each)}`);
        return Array.isArray(value) ? `[${members.join(", ")}]` : `{ ${members.join(", ")} }`;
    }
    const reference = typeof value === "string" ? /^\$\{(.+)\}$/.exec(value)?.[1] : undefined;
    return reference ?? JSON.stringify(value);
}

/**
 * Quotes only names that need quotes: Pulumi's generators treat a quoted name as a key of a map, and any other name as
 * a property.
 */
function keyOf(name: string): string {
    return /^\w+$/.test(name) ? name : JSON.stringify(name);
}
