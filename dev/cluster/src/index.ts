export { type Cluster, type ClusterImages, type ClusterKind, type ClusterStatus } from "./cluster/cluster.js";
export { clusterDown } from "./cluster-down.js";
export { ClusterError } from "./cluster/cluster-error.js";
export { type ClusterOptions, namedContext } from "./cluster-options.js";
export { clusterStatus } from "./cluster-status.js";
export { clusterUp } from "./cluster-up.js";
export { type EgressTarget, withEgressOnly } from "./local/network/egress.js";
export { ensureClusterParts } from "./local/cluster-parts.js";
