/** The name of a value: its key or, in lists such as `env: [{ name, value }]`, the name next to it. */
export function nameBeside(object: object, key: string): string {
    const { name, key: other, Name, Key } = object as Record<string, unknown>;
    const beside = [name, other, Name, Key].find((each) => typeof each === "string");
    return /^value$/i.test(key) && typeof beside === "string" ? beside : key;
}

/** The name of a list's member: the name of the list or, in a command such as `["--token", "…"]`, the option's name. */
export function nameOfMember(list: readonly unknown[], index: number, name: string): string {
    const [, option] = /^--?([a-z][\w.-]*)$/i.exec(String(list[index - 1])) ?? [];
    return option ?? name;
}

/** Whether all values under this key are secrets, because the object is a Secret of Kubernetes. */
export function isSecretData(object: object, key: string): boolean {
    return /^(data|stringData)$/.test(key) && (object as { kind?: unknown }).kind === "Secret";
}
