import { createRequire } from "node:module";
import type { Policies, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

/**
 * The functions that the engine's pack runner calls, so that unknown values behave as they do in a preview. The module
 * has no types.
 */
const require = createRequire(import.meta.url);
const { makeAnalyzeRpcFun, makeAnalyzeStackRpcFun, makeRemediateRpcFun } = require("@pulumi/policy/server") as Record<
    "makeAnalyzeRpcFun" | "makeAnalyzeStackRpcFun" | "makeRemediateRpcFun",
    (name: string, version: string, level: string, policies: Policies) => Rpc
>;
const proto = require("@pulumi/pulumi/proto/analyzer_pb.js") as Record<string, new () => Message>;
const { Struct } = require("google-protobuf/google/protobuf/struct_pb.js") as {
    Struct: { fromJavaScript(value: object): Message };
};

type Message = Record<string, (...args: unknown[]) => unknown> & { toObject(): Record<string, unknown> };
type Rpc = (call: { request: Message }, callback: (error: Error | null, response: Message) => void) => void;
type AnyPolicy = ResourceValidationPolicy | StackValidationPolicy;

/** The engine's encoding of an unknown string, which the runner turns into a proxy. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Marks a value as secret, as the engine does. */
export function secret(value: unknown): object {
    return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

export interface TestResource {
    type: string;
    name: string;
    props?: object;
    stack?: string;
    protect?: boolean;
    parent?: TestResource;
    /** The resources from which each property's value comes. */
    from?: Record<string, TestResource[]>;
}

interface Violation {
    message: string;
    urn: string;
    level: "advisory" | "mandatory";
}

export function urnOf({ type, name, stack = "dev", parent }: TestResource): string {
    return `urn:pulumi:${stack}::docs::${parent ? `${parent.type}$` : ""}${type}::${name}`;
}

/** Runs a policy's check of one resource, and returns its reports. */
export async function validate(policy: AnyPolicy, resource: TestResource, config: object = {}): Promise<Violation[]> {
    const rpc = makeAnalyzeRpcFun("pack", "1.0.0", "advisory", [withConfig(policy, config)]);
    return violationsIn(await call(rpc, requestOf(resource)));
}

/** Runs a policy's check of a whole stack, and returns its reports. */
export async function validateStack(
    policy: AnyPolicy,
    resources: TestResource[],
    config: object = {},
): Promise<Violation[]> {
    const request = message("AnalyzeStackRequest");
    request.setResourcesList!(resources.map(stackResourceOf));
    const rpc = makeAnalyzeStackRpcFun("pack", "1.0.0", "advisory", [withConfig(policy, config)]);
    return violationsIn(await call(rpc, request));
}

/** Runs a policy's remediation, and returns the properties for the engine, or undefined if it changes nothing. */
export async function remediate(
    policy: AnyPolicy,
    resource: TestResource,
    config: object = {},
): Promise<Record<string, unknown> | undefined> {
    const rpc = makeRemediateRpcFun("pack", "1.0.0", "advisory", [withConfig(policy, config)]);
    const response = await call(rpc, requestOf(resource));
    const [remediation] = response.getRemediationsList!() as Message[];
    if (remediation === undefined) {
        return undefined;
    }
    const diagnostic = remediation.getDiagnostic!() as string;
    if (diagnostic !== "") {
        throw new Error(diagnostic);
    }
    return (remediation.getProperties!() as { toJavaScript(): Record<string, unknown> }).toJavaScript();
}

/** Passes the configuration to a policy, as the engine does outside of specs. */
function withConfig(policy: AnyPolicy, config: object): AnyPolicy {
    const getConfig = <T>() => config as T;
    const given = policy as ResourceValidationPolicy & StackValidationPolicy;
    const { validateResource, validateStack, remediateResource } = given;
    return {
        ...given,
        ...(typeof validateResource === "function" && {
            validateResource: (args, report) => validateResource({ ...args, getConfig }, report),
        }),
        ...(remediateResource && { remediateResource: (args) => remediateResource({ ...args, getConfig }) }),
        ...(validateStack && { validateStack: (args, report) => validateStack({ ...args, getConfig }, report) }),
    };
}

function requestOf(resource: TestResource): Message {
    return fill(message("AnalyzeRequest"), resource);
}

function stackResourceOf(resource: TestResource): Message {
    const filled = fill(message("AnalyzerResource"), resource);
    if (resource.parent) {
        filled.setParent!(urnOf(resource.parent));
    }
    const dependencies = filled.getPropertydependenciesMap!() as Map<string, Message>;
    for (const [property, sources] of Object.entries(resource.from ?? {})) {
        const list = message("AnalyzerPropertyDependencies");
        list.setUrnsList!(sources.map(urnOf));
        dependencies.set(property, list);
    }
    return filled;
}

function fill(request: Message, resource: TestResource): Message {
    request.setUrn!(urnOf(resource));
    request.setType!(resource.type);
    request.setName!(resource.name);
    request.setProperties!(Struct.fromJavaScript(resource.props ?? {}));
    const options = message("AnalyzerResourceOptions");
    options.setProtect!(resource.protect ?? false);
    request.setOptions!(options);
    return request;
}

function message(name: string): Message {
    return new proto[name]!();
}

function call(rpc: Rpc, request: Message): Promise<Message> {
    return new Promise((resolve, reject) => {
        rpc({ request }, (error, response) => (error ? reject(error) : resolve(response)));
    });
}

function violationsIn(response: Message): Violation[] {
    return (response.getDiagnosticsList!() as Message[]).map((diagnostic) => ({
        message: diagnostic.getMessage!() as string,
        urn: diagnostic.getUrn!() as string,
        level: diagnostic.getEnforcementlevel!() === 1 ? "mandatory" : "advisory",
    }));
}
