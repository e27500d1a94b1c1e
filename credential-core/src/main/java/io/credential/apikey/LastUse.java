package io.credential.apikey;

/** That a key was used; the time in Unix milliseconds. */
record LastUse(String namespace, String id, long usedAt) {}
