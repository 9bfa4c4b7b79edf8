import { firewallUser, nameServerUser } from "./credentials.js";

const localVolumes = 16;

/** The location of the volumes' folders in the node. */
const volumesInside = "/var/local-volumes";

export function volumeNames(): string[] {
    return Array.from({ length: localVolumes }, (_, index) => `local-${index + 1}`);
}

/**
 * Returns the objects that the cluster needs in advance: RBAC for CoreDNS and kube-router, and persistent volumes to
 * claim. The cluster lacks a dynamic provisioner, so the volumes are created in advance.
 */
export function initialManifests(nodeName: string): object {
    const storageClass = {
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
        provisioner: "kubernetes.io/no-provisioner",
        volumeBindingMode: "WaitForFirstConsumer",
    };
    const volumes = volumeNames().map((name) => ({
        apiVersion: "v1",
        kind: "PersistentVolume",
        metadata: { name },
        spec: {
            accessModes: ["ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany"],
            capacity: { storage: "10Gi" },
            local: { path: `${volumesInside}/${name}` },
            nodeAffinity: {
                required: {
                    nodeSelectorTerms: [
                        {
                            matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [nodeName] }],
                        },
                    ],
                },
            },
            persistentVolumeReclaimPolicy: "Retain",
            storageClassName: storageClass.metadata.name,
        },
    }));
    return {
        apiVersion: "v1",
        kind: "List",
        items: [
            ...roleOf(nameServerUser, [
                { apiGroups: [""], resources: ["services", "pods", "namespaces"], verbs: ["list", "watch"] },
                { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
            ]),
            ...roleOf(firewallUser, [
                { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
                {
                    apiGroups: [""],
                    resources: ["services", "endpoints", "pods", "namespaces"],
                    verbs: ["list", "watch"],
                },
                { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
                { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: ["list", "watch"] },
            ]),
            storageClass,
            ...volumes,
        ],
    };
}

/** Returns a role with the name of its only user, and its binding. */
function roleOf(user: string, rules: readonly object[]): object[] {
    const apiGroup = "rbac.authorization.k8s.io";
    const base = { apiVersion: `${apiGroup}/v1`, metadata: { name: user } };
    return [
        { ...base, kind: "ClusterRole", rules },
        {
            ...base,
            kind: "ClusterRoleBinding",
            roleRef: { apiGroup, kind: "ClusterRole", name: user },
            subjects: [{ apiGroup, kind: "User", name: user }],
        },
    ];
}
