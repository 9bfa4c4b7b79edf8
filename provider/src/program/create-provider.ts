import type { dynamic } from "@pulumi/pulumi";

/**
 * The provider object of a kind of resources, by the name of its lifecycle in lifecycle.ts. Pulumi serialises this
 * object into every state as `__provider`. It only loads the implementation, so that states stay small, contain no
 * secret and never run old code, and an upgrade causes no diff.
 *
 * Keep each method on one line and never change one: the text of this object is in users' states, and
 * tests/e2e/provider-text.engine.spec.ts compares it with a golden file byte by byte.
 */
/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/require-await */
export function createProvider(kind: string): dynamic.ResourceProvider {
    return {
        async configure(req) { require("pulumi-static-export/lifecycle").configure(req.config); },
        async check(olds, news) { return require("pulumi-static-export/lifecycle")[kind].check(olds, news); },
        async diff(id, olds, news) { return require("pulumi-static-export/lifecycle")[kind].diff(id, olds, news); },
        async create(inputs) { return require("pulumi-static-export/lifecycle")[kind].create(inputs); },
        async read(id, props) { return require("pulumi-static-export/lifecycle")[kind].read(id, props); },
        async update(id, olds, news) { return require("pulumi-static-export/lifecycle")[kind].update(id, olds, news); },
        async delete(id, props) { return require("pulumi-static-export/lifecycle")[kind].delete(id, props); },
    };
}
