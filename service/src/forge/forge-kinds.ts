export const forgeKinds = ["github", "gitlab", "gitea", "forgejo"] as const;
export type ForgeKind = (typeof forgeKinds)[number];
