const optionNames: Readonly<Record<string, string>> = {
    adminApiKey: "--admin-key-file (or STATIC_EXPORT_ADMIN_API_KEY)",
    baseUrl: "--base-url (or STATIC_EXPORT_BASE_URL)",
};

/** Replaces the names of the SDK's settings in its errors by the names that users of the command know. */
export function withOptionNames(message: string): string {
    return message.replace(/\b(?:adminApiKey|baseUrl)\b/g, (name) => optionNames[name] ?? name);
}
