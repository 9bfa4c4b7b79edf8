import { type Manifest, render, serviceChartFolder } from "./render-chart.js";

/** The minimal values for installing the service's chart. */
export const required = {
    image: { repository: "registry.example.com/static-export" },
    sites: { "docs.example.com": "/sites/docs", "api.example.com": "/sites/api" },
    publicUrl: "https://docs-admin.example.net",
    database: { existingSecret: "exports" },
    adminKey: { existingSecret: "exports" },
    bucket: { url: "s3://docs-bundles/exports" },
};

/** Values that start the service's optional pods. */
export const optionalPods = {
    agents: { projects: { docs: "https://git.example.com/acme/docs" }, command: ["/usr/bin/agent"] },
    builds: { enabled: true },
};

export interface Pod {
    automountServiceAccountToken: boolean;
    serviceAccountName?: string;
    runtimeClassName?: string;
    hostUsers?: boolean;
    shareProcessNamespace?: boolean;
    securityContext: Record<string, unknown>;
    nodeSelector?: object;
    tolerations?: object[];
    priorityClassName?: string;
    initContainers?: Pod["containers"];
    containers: {
        name: string;
        image: string;
        args: string[];
        env: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
        securityContext: Record<string, unknown>;
        resources: { limits?: object };
        volumeMounts: { name: string; mountPath: string }[];
        ports?: { name: string }[];
        lifecycle?: object;
    }[];
    volumes: { name: string; secret?: { defaultMode: number } }[];
}

export const renderService = (values: object) => render(values, serviceChartFolder);

/** Returns the pods of Deployments and Jobs, by name. */
export const podsOf = (manifests: Map<string, Manifest>): Map<string, Pod> =>
    new Map(
        [...manifests.values()]
            .filter(({ kind }) => ["Deployment", "Job"].includes(kind))
            .map(({ metadata, spec }) => [metadata.name, (spec as { template: { spec: Pod } }).template.spec]),
    );

/** The names of the chart's objects. */
export const serviceName = "docs-static-export-service";
