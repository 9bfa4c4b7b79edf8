import { serviceType, siteType } from "@pulumi-static-export/contract";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { decode } from "../wire/properties.js";
import type { ComponentInputs, Declare } from "./component.js";
import { declareService } from "./documentation-service.js";
import { declareSite } from "./documentation-site.js";
import { ResourceMonitor, toProperties, toStruct, type WireProperties } from "./resource-monitor.js";

/** What declares each component, and gives its outputs. */
const components: Readonly<
    Record<string, (name: string, inputs: ComponentInputs, declare: Declare) => Promise<WireProperties>>
> = { [siteType]: declareSite, [serviceType]: declareService };

/** Declares what a component consists of. Resources of this provider and of Kubernetes use the component's own providers. */
export async function construct(request: proto.ConstructRequest): Promise<proto.ConstructResponse> {
    const type = request.getType();
    const declareComponent = components[type];
    if (declareComponent === undefined) {
        const known = Object.keys(components).join(" and ");
        throw new Error(`${type} is not a component of this provider; the components are ${known}.`);
    }
    const monitor = new ResourceMonitor(request.getMonitorendpoint());
    try {
        const name = request.getName();
        const { urn } = await monitor.register(componentRequest(request));
        const { values } = decode(request.getInputs());
        const wire = toProperties(request.getInputs());
        const isProtected = request.getProtect() ?? false;
        const outputs = await declareComponent(name, { values, wire }, (resource) =>
            monitor.declare({ ...resource, name, parent: urn, isProtected }),
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

function componentRequest(request: proto.ConstructRequest): RegisterResourceRequest {
    const component = new RegisterResourceRequest();
    component.setType(request.getType());
    component.setName(request.getName());
    component.setParent(request.getParent());
    component.setAliasesList(request.getAliasesList());
    component.setDependenciesList(request.getDependenciesList());
    component.setProtect(request.getProtect() ?? false);
    const providers = component.getProvidersMap();
    request.getProvidersMap().forEach((reference, packageName) => providers.set(packageName, reference));
    return component;
}
