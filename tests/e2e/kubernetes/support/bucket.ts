import { PutBucketPolicyCommand } from "@aws-sdk/client-s3";
import { bucket, credentials, type S3Server } from "../../../provider/bundle-mirror/s3-server.js";

/** Makes the bucket readable without credentials, as a bucket policy for a cluster's network does. */
export async function allowReading(storage: S3Server): Promise<string> {
    const policy = {
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: `arn:aws:s3:::${bucket}/*` }],
    };
    await storage.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(policy) }));
    return `${storage.endpoint}/${bucket}`;
}

/** The settings that a stack needs to write to the storage. */
export const storageSecrets = {
    "static-export:mirrorAccessKeyId": credentials.accessKeyId,
    "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
};
