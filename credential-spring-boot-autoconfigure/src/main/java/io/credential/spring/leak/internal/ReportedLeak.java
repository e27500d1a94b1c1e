package io.credential.spring.leak.internal;

import io.credential.apikey.leak.internal.LeakReport;

/**
 * One element of a request.
 *
 * @param type the name of the pattern that found the token
 */
record ReportedLeak(String type, LeakReport report) {}
