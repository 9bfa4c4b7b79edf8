import type * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "../engine/unknown-value.js";
import { recordOf } from "./chart.js";
import { findUnknown, isPlainRecord } from "./known-record.js";

/** How the pods identify readers: exactly one of `header` and `oidc` is set. */
export interface SiteAccessArgs {
    /**
     * For a proxy that signs readers in, and sends their groups in a request header. Only the proxy may reach the pods:
     * name it in `networkPolicy.ingressFrom` of `values`.
     */
    header?: HeaderAccessArgs;
    /** For an OpenID Connect provider: oauth2-proxy runs next to nginx in every pod. Needs Kubernetes 1.29 or later. */
    oidc?: OidcAccessArgs;
}

/** The request headers of a proxy, which the pods trust. */
export interface HeaderAccessArgs {
    /** The header with the reader's groups, such as "X-Forwarded-Groups". */
    groups: pulumi.Input<string>;
    /**
     * The separator between two groups.
     * @default ","
     */
    separator?: pulumi.Input<string>;
    /**
     * A header that is non-empty for every signed-in reader.
     * @default the header with the groups
     */
    user?: pulumi.Input<string>;
    /**
     * The address for readers who are not signed in, with the page's path as `{path}`. Without it, they get status 401.
     */
    signInUrl?: pulumi.Input<string>;
}

/**
 * A client of an OpenID Connect provider. The client's secrets are never inputs: they are in a Secret in the cluster.
 */
export interface OidcAccessArgs {
    /** The provider's address, without `/.well-known/openid-configuration`. */
    issuer: pulumi.Input<string>;
    /** The client's id at the provider. */
    clientId: pulumi.Input<string>;
    /** The name of a Secret in the release's namespace with the keys `client-secret` and `cookie-secret`. */
    existingSecret: pulumi.Input<string>;
    /** The address of the site. The provider has to allow the redirect URL `<url>/oauth2/callback`. */
    url: pulumi.Input<string>;
    /**
     * The claim that lists the reader's groups.
     * @default "groups"
     */
    groupsClaim?: pulumi.Input<string>;
    /** @default ["openid", "profile"] */
    scopes?: pulumi.Input<pulumi.Input<string>[]>;
    /**
     * The time after which a reader has to sign in again, which also updates the reader's groups.
     * @default 480
     */
    sessionMinutes?: pulumi.Input<number>;
    /** oauth2-proxy's image, in the format of the chart's values. */
    image?: pulumi.Input<Record<string, pulumi.Input<string>>>;
    /** The container's resources, in the format of Kubernetes. */
    resources?: pulumi.Input<Record<string, unknown>>;
}

interface Way {
    required: readonly string[];
    optional: readonly string[];
}

const ways: Readonly<Record<keyof SiteAccessArgs, Way>> = {
    header: { required: ["groups"], optional: ["separator", "user", "signInUrl"] },
    oidc: {
        required: ["issuer", "clientId", "existingSecret", "url"],
        optional: ["groupsClaim", "scopes", "sessionMinutes", "image", "resources"],
    },
};

/** The inputs that determine whether pages are restricted to some readers. */
export interface AccessInputs {
    /** The value from the program, unchecked. */
    access?: unknown;
    values?: unknown;
    /** Whether the chart is this package's own chart or a copy of it. */
    takesDigest: boolean;
}

/** Returns why the site cannot restrict readers with these inputs, or undefined. */
export function findAccessProblem(inputs: AccessInputs): string | undefined {
    return (inputs.access === undefined ? undefined : findInputProblem(inputs)) ?? findUntrustedHeader(inputs);
}

function findInputProblem({ access, values, takesDigest }: AccessInputs): string | undefined {
    if (!isPlainRecord(access)) {
        return "access must be an object that is known while the program runs, with header or oidc";
    }
    const given = (Object.keys(ways) as (keyof SiteAccessArgs)[]).filter((name) => access[name] !== undefined);
    const [way] = given;
    if (way === undefined) {
        return "access must have header or oidc, which says how the pods identify readers";
    }
    if (given.length > 1) {
        return "access.header and access.oidc must not both be set: only one of them can identify readers. Remove one";
    }
    if (recordOf(values).access !== undefined) {
        return "access and values.access must not both be set: move values.access's settings to access";
    }
    if (!takesDigest) {
        return (
            "access needs the chart in this package, whose pods enforce a bundle's access.json. If chart is a copy of it, " +
            "set chartTakesDigest to true"
        );
    }
    return findUnknown("access", access, Object.keys(ways)) ?? findWayProblem(way, access[way]);
}

/** Finds an untrusted header before the export; the chart would refuse it only after the export. */
function findUntrustedHeader({ access, values, takesDigest }: AccessInputs): string | undefined {
    const { header } = recordOf(access ?? recordOf(values).access);
    const { networkPolicy } = recordOf(values);
    const { enabled, ingressFrom = [] } = recordOf(networkPolicy);
    const mayBeSet =
        isUnknown(values) || isUnknown(networkPolicy) || !Array.isArray(ingressFrom) || ingressFrom.length > 0;
    return !takesDigest || !isSet(recordOf(header).groups) || enabled === false || mayBeSet
        ? undefined
        : "access.header trusts a request header, so only the proxy that sets it may reach the pods: name it in " +
              "networkPolicy.ingressFrom of values, or set networkPolicy.enabled to false if something else keeps everybody else away";
}

function findWayProblem(way: keyof SiteAccessArgs, given: unknown): string | undefined {
    const place = `access.${way}`;
    if (!isPlainRecord(given)) {
        return `${place} must be an object that is known while the program runs`;
    }
    const { required, optional } = ways[way];
    const missing = required.find((name) => !isSet(given[name]));
    return (
        findUnknown(place, given, [...required, ...optional]) ??
        (missing === undefined ? undefined : `${place}.${missing} is required`)
    );
}

/** Whether the site's pods restrict readers, because of `access` or of the program's own chart values. */
export function separatesReaders({ access, values }: Pick<AccessInputs, "access" | "values">): boolean {
    const { header, oidc } = recordOf(access ?? recordOf(values).access);
    return isSet(recordOf(header).groups) || isSet(recordOf(oidc).issuer);
}

function isSet(value: unknown): boolean {
    return value !== undefined && value !== null && value !== "";
}
