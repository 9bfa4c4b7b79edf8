import { siteType } from "@pulumi-static-export/contract";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { decode } from "../wire/properties.js";
import { declareSite } from "./documentation-site.js";
import { ResourceMonitor, toProperties, toStruct } from "./resource-monitor.js";

/** Declares what a component consists of. Resources of this provider and of Kubernetes use the component's own providers. */
export async function construct(request: proto.ConstructRequest): Promise<proto.ConstructResponse> {
    if (request.getType() !== siteType) {
        throw new Error(`${request.getType()} is not a component of this provider; the component is ${siteType}.`);
    }
    const monitor = new ResourceMonitor(request.getMonitorendpoint());
    try {
        const name = request.getName();
        const { urn } = await monitor.register(componentRequest(request));
        const { values } = decode(request.getInputs());
        const wire = toProperties(request.getInputs());
        const isProtected = request.getProtect() ?? false;
        const outputs = await declareSite(name, { values, wire }, (resource) =>
            monitor.declare({ ...resource, name, parent: urn, isProtected }),
        );
        const { deploymentType, features } = values;
        // The last two are for policies.
        await monitor.saveOutputs(urn, { ...outputs, deploymentType, features: features ?? {} });
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
