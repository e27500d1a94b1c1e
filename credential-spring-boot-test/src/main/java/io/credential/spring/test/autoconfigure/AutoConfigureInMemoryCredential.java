package io.credential.spring.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives the context of a test its own registries and dispatcher, as far as the application has their libraries. They are
 * the real ones, configured by the properties of the application, also in a slice such as {@code @WebMvcTest}. Each
 * context has its own keyring, which exists only in memory.
 *
 * <p>If the context has a {@code DataSource}, that is used: its database is migrated. Otherwise, data is stored in a
 * temporary SQLite file, which is deleted when the context is closed. An application that stores nothing, such as a
 * receiver of webhooks that keeps nonces in memory, has no database. Contexts are cached: the data of one test is there
 * in the next. The dispatcher and signers may also send to the loopback address, and {@code dispatch} waits for the
 * outcomes of its attempts, up to a minute.
 *
 * <p>Sets these properties of the libraries that are present, which those of a test do not override: {@code credential.mode}, {@code
 * credential.api-keys.rate-limits.store}, {@code credential.keyring.location}, {@code credential.storage.path}, {@code
 * credential.storage.schema}, and {@code allowed-cidrs} and {@code dispatch-wait} under {@code
 * credential.webhook.dispatcher}.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureInMemoryCredential {}
