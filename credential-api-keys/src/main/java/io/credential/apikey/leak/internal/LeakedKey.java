package io.credential.apikey.leak.internal;

import io.credential.apikey.ApiKey;

/**
 * A key whose secret was found in public.
 *
 * @param key as it is after the response
 * @param version the number of changes of the key, this response included
 */
public record LeakedKey(ApiKey key, long version, LeakReport report) {}
