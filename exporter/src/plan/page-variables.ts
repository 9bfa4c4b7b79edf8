/**
 * Replaces `{{name}}` by the value of the setting `variables`. Unknown names remain: in code, `{{name}}` belongs to
 * another template language.
 */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
    return text.includes("{{")
        ? text.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, name: string) =>
              Object.hasOwn(variables, name) ? (variables[name] as string) : whole,
          )
        : text;
}
