/** The module of this project's resources: the part of their type tokens before the name. */
export const resourceModule = "static-export";

/** Each token as Pulumi writes it for a dynamic resource of a Node.js program. */
export const bundleType = "pulumi-nodejs:dynamic/static-export:StaticExportBundle";
export const exportJobType = "pulumi-nodejs:dynamic/static-export:StaticExportJob";
export const mirrorType = "pulumi-nodejs:dynamic/static-export:BundleMirror";
export const checkType = "pulumi-nodejs:dynamic/static-export:BundleCheck";
export const agentJobType = "pulumi-nodejs:dynamic/static-export:AgentJob";
/** The component. */
export const siteType = "static-export:index:DocumentationSite";

/** Helm releases, which serve exports. */
export const releaseType = "kubernetes:helm.sh/v3:Release";

const dynamicResource = "pulumi-nodejs:dynamic/static-export:";

/** Whether a type token is one of this project's dynamic resources, those of other versions included. */
export function isDynamicType(type: string): boolean {
    return type.startsWith(dynamicResource);
}
