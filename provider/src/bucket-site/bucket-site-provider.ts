import type { dynamic } from "@pulumi/pulumi";

/**
 * Pulumi serialises this object into every state. Keep each method on one line and never change one: see
 * ../static-export-bundle/static-export-bundle-provider.ts.
 */
/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/require-await */
export const bucketSiteProvider: dynamic.ResourceProvider = {
    async configure(req) { require("pulumi-static-export/lifecycle").configure(req.config); },
    async check(olds, news) { return require("pulumi-static-export/lifecycle").bucketSite.check(olds, news); },
    async diff(id, olds, news) { return require("pulumi-static-export/lifecycle").bucketSite.diff(id, olds, news); },
    async create(inputs) { return require("pulumi-static-export/lifecycle").bucketSite.create(inputs); },
    async read(id, props) { return require("pulumi-static-export/lifecycle").bucketSite.read(id, props); },
    async update(id, olds, news) { return require("pulumi-static-export/lifecycle").bucketSite.update(id, olds, news); },
    async delete(id, props) { return require("pulumi-static-export/lifecycle").bucketSite.delete(id, props); },
};
