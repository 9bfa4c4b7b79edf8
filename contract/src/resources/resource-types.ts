/** The module of this project's resources: the part of their type tokens before the name. */
export const resourceModule = "static-export";

const dynamicResource = "pulumi-nodejs:dynamic/static-export:";
const pluginResource = "static-export:index:";

/** The type tokens that Pulumi writes for dynamic resources of a Node.js program. */
export const bundleType = `${dynamicResource}StaticExportBundle`;
export const exportJobType = `${dynamicResource}StaticExportJob`;
export const mirrorType = `${dynamicResource}BundleMirror`;
export const bucketSiteType = `${dynamicResource}BucketSite`;
export const checkType = `${dynamicResource}BundleCheck`;
export const updateType = `${dynamicResource}DocumentationUpdate`;
export const agentJobType = `${dynamicResource}AgentJob`;
/** The components. */
export const siteType = `${pluginResource}DocumentationSite`;
export const serviceType = `${pluginResource}DocumentationService`;

/** Helm releases, which serve exports. */
export const releaseType = "kubernetes:helm.sh/v3:Release";

/** Whether a resource of any version belongs to this project, either dynamic or from the plugin. */
export function isPlatformResource({ type }: { type: string }): boolean {
    return dynamicTypeOf(type).startsWith(dynamicResource);
}

/** Returns the type token of a resource in a Node.js program, which may differ from the plugin's token. */
export function dynamicTypeOf(type: string): string {
    return type.startsWith(pluginResource) && type !== siteType && type !== serviceType
        ? dynamicResource + type.slice(pluginResource.length)
        : type;
}

/** Whether a resource is a `StaticExportBundle`, either dynamic or from the plugin. */
export function isBundle({ type }: { type: string }): boolean {
    return dynamicTypeOf(type) === bundleType;
}

/** Whether a resource is a `StaticExportJob`, either dynamic or from the plugin. */
export function isExportJob({ type }: { type: string }): boolean {
    return dynamicTypeOf(type) === exportJobType;
}

/** Whether a resource is a `DocumentationUpdate`, either dynamic or from the plugin. */
export function isUpdate({ type }: { type: string }): boolean {
    return dynamicTypeOf(type) === updateType;
}

/** Whether a resource is a `BundleMirror`, either dynamic or from the plugin. */
export function isMirror({ type }: { type: string }): boolean {
    return dynamicTypeOf(type) === mirrorType;
}

/** Whether a resource is a `BucketSite`, either dynamic or from the plugin. */
export function isBucketSite({ type }: { type: string }): boolean {
    return dynamicTypeOf(type) === bucketSiteType;
}

/** Whether a resource is a `BundleCheck`, either dynamic or from the plugin. */
export function isCheck({ type }: { type: string }): boolean {
    return dynamicTypeOf(type) === checkType;
}
