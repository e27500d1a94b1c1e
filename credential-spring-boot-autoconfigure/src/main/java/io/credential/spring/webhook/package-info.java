/** The authentication of requests with a verified webhook. */
@NullMarked
package io.credential.spring.webhook;

import org.jspecify.annotations.NullMarked;
