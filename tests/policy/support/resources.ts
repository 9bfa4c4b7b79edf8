import {
    bucketSiteType,
    bundleType,
    checkType,
    exportJobType,
    mirrorType,
    releaseType,
    siteType,
} from "@pulumi-static-export/contract";
import type { TestResource } from "./run-policy.js";

export const link = "https://bundles.example.com/exports/se_1.tar.gz?signature=5ecret";

/** Returns a bundle after its export. */
export function bundle(props: object = {}, resource: Partial<TestResource> = {}): TestResource {
    const exported = { jobId: "se_1", bundleUrl: link, exportedAt: "2026-11-01T00:00:00Z" };
    return { ...bundleInPreview({ ...exported, ...props }), ...resource };
}

/** Returns a bundle without outputs, as in a preview that creates or changes the bundle. */
export function bundleInPreview(props: object = {}, resource: Partial<TestResource> = {}): TestResource {
    return { type: bundleType, name: "docs", props: { domain: "docs.example.com", ...props }, ...resource };
}

/** Returns a StaticExportJob, which starts an export for a separate bundle. */
export function exportJob(props: object = {}, resource: Partial<TestResource> = {}): TestResource {
    return { type: exportJobType, name: "docs", props: { domain: "docs.example.com", ...props }, ...resource };
}

/** Returns a mirror that has copied the bundle. */
export function mirror(props: object = {}, from = bundle()): TestResource {
    const copied = { jobId: "se_1", url: "https://mirror.example.com/static-exports/se_1.tar.gz" };
    return mirrorInPreview({ ...copied, ...props }, from);
}

export function mirrorInPreview(props: object = {}, from = bundleInPreview()): TestResource {
    return {
        type: mirrorType,
        name: "docs",
        props: { bucket: "docs-bundles", publicUrl: "https://mirror.example.com", ...props },
        from: { jobId: [from] },
    };
}

/** Returns a BucketSite with the bundle's files. */
export function bucketSite(props: object = {}, from = bundle()): TestResource {
    return {
        type: bucketSiteType,
        name: "docs",
        props: { bucket: "docs-example-com", ...props },
        from: { jobId: [from] },
    };
}

/** Returns a check of the bundle. */
export function bundleCheck(props: object = {}, from = bundle()): TestResource {
    return { type: checkType, name: "docs", props, from: { jobId: [from] } };
}

/** Returns a Helm release with these values, which come from these resources. */
export function release(values: unknown, from: TestResource[] = [], props: object = {}): TestResource {
    return {
        type: releaseType,
        name: "docs",
        props: { chart: "./charts/documentation-site", values, ...props },
        from: { values: from },
    };
}

/** Returns a DocumentationSite, which registers these outputs. */
export function site(deploymentType: string | undefined, features: object = {}): TestResource {
    return { type: siteType, name: "docs", props: { ...(deploymentType && { deploymentType }), features } };
}
