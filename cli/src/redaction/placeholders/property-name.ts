/** Parts of names that contain a digit. */
const knownWords = /(s3|ec2|x509|oauth2|http2|ipv[46]|base64|sha(1|256|512)|md5|k8s|i18n|l10n|utf8|v\d+)/gi;
const name = /^[$_.]*[a-z]+([-_./:]+[a-z]+)*\d?$/i;
/** In camel case, a word begins with a capital letter. */
const longWord = /[a-z]{19,}|[A-Z]{19,}/;

/**
 * Whether the key of a map is the name of a property, which programs refer to: words with at most one digit at the end.
 * Other keys, such as the names of users, may be data or secrets.
 */
export function isPropertyName(key: string): boolean {
    const words = key.replace(knownWords, "v");
    return name.test(words) && !longWord.test(words);
}
