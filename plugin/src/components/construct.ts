import { serviceType, siteType } from "@pulumi-static-export/contract";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { decode } from "../wire/properties.js";
import type { ComponentInputs, Declare } from "./component.js";
import { declareService } from "./documentation-service.js";
import { declareSite } from "./documentation-site.js";
import { type Declaration, ResourceMonitor, toProperties, toStruct, type WireProperties } from "./resource-monitor.js";

/**
 * Without a version, the engine would download the newest provider. The program can pass another provider in
 * `providers`.
 */
const kubernetesVersion = "4.34.2";

const { CustomTimeouts, ResourceHooksBinding } = RegisterResourceRequest;

/** Functions that declare the resources of a component and return its outputs. */
const components: Readonly<
    Record<string, (name: string, inputs: ComponentInputs, declare: Declare) => Promise<WireProperties>>
> = { [siteType]: declareSite, [serviceType]: declareService };

/** Declares a component and its resources, which use the providers that the program passes to the component. */
export async function construct(request: proto.ConstructRequest): Promise<proto.ConstructResponse> {
    const type = request.getType();
    const declareComponent = components[type];
    if (declareComponent === undefined) {
        const known = Object.keys(components).join(" and ");
        throw new Error(`${type} is not a component of this provider. The components are ${known}.`);
    }
    const monitor = new ResourceMonitor(request.getMonitorendpoint());
    try {
        const name = request.getName();
        const component = componentRequest(request);
        const { urn } = await monitor.register(component);
        const { values } = decode(request.getInputs());
        const wire = toProperties(request.getInputs());
        const outputs = await declareComponent(name, { values, wire }, (resource) =>
            monitor.register(childRequest({ ...resource, name }, urn, component)),
        );
        const { deploymentType, features = {} } = values;
        // A site has two more outputs, for policies.
        await monitor.saveOutputs(urn, { ...outputs, ...(type === siteType ? { deploymentType, features } : {}) });
        const response = new proto.ConstructResponse();
        response.setUrn(urn);
        response.setState(toStruct(outputs));
        return response;
    } finally {
        monitor.close();
    }
}

/**
 * Copies every option of the program to the request for the component. The engine applies the component's protection
 * and deletion options to its resources.
 */
function componentRequest(request: proto.ConstructRequest): RegisterResourceRequest {
    const component = new RegisterResourceRequest();
    component.setType(request.getType());
    component.setName(request.getName());
    component.setParent(request.getParent());
    component.setAliasesList(request.getAliasesList());
    component.setDependenciesList(request.getDependenciesList());
    component.setAdditionalsecretoutputsList(request.getAdditionalsecretoutputsList());
    component.setDeletedwith(request.getDeletedwith());
    component.setIgnorechangesList(request.getIgnorechangesList());
    component.setReplaceonchangesList(request.getReplaceonchangesList());
    component.setReplaceWithList(request.getReplaceWithList());
    component.setReplacementTrigger(request.getReplacementTrigger());
    component.setParentstacktracehandle(request.getStackTraceHandle());
    if (request.hasProtect()) {
        component.setProtect(request.getProtect()!);
    }
    if (request.hasRetainondelete()) {
        component.setRetainondelete(request.getRetainondelete()!);
    }
    component.setDeletebeforereplace(request.getDeletebeforereplace() ?? false);
    component.setDeletebeforereplacedefined(request.hasDeletebeforereplace());
    // The protocol defines this message twice.
    const [timeouts, hooks] = [request.getCustomtimeouts(), request.getResourceHooks()];
    component.setCustomtimeouts(timeouts && CustomTimeouts.deserializeBinary(timeouts.serializeBinary()));
    component.setHooks(hooks && ResourceHooksBinding.deserializeBinary(hooks.serializeBinary()));
    const providers = component.getProvidersMap();
    request.getProvidersMap().forEach((reference, packageName) => providers.set(packageName, reference));
    return component;
}

/** The engine ignores the timeouts of components, so they are passed to the resources of the component. */
function childRequest(
    { type, name, inputs, dependsOn = [] }: Declaration,
    parent: string,
    component: RegisterResourceRequest,
): RegisterResourceRequest {
    const child = new RegisterResourceRequest();
    child.setType(type);
    child.setName(name);
    child.setCustom(true);
    child.setParent(parent);
    child.setObject(toStruct(inputs));
    child.setDependenciesList([...dependsOn]);
    if (type.startsWith("kubernetes:")) {
        child.setVersion(kubernetesVersion);
    }
    child.setCustomtimeouts(component.getCustomtimeouts());
    child.setParentstacktracehandle(component.getParentstacktracehandle());
    return child;
}
