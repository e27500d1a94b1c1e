/**
 * Tests applications that use API keys and webhooks: authenticates and signs requests of MockMvc, keeps keys and
 * webhooks in temporary databases, and receives webhooks.
 */
@NullMarked
package io.credential.spring.test;

import org.jspecify.annotations.NullMarked;
