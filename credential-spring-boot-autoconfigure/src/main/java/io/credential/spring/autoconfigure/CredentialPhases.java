package io.credential.spring.autoconfigure;

import org.springframework.context.SmartLifecycle;

/**
 * Lifecycle phases. All components start before the web server accepts requests, and stop after it has answered the
 * last one; its phases are 1024 and 2048 below the default. The DataSource is closed after all of them.
 *
 * @since 0.1.0
 */
public final class CredentialPhases {

    /** Background work starts after leadership and stops before it. */
    public static final int BACKGROUND_WORK = SmartLifecycle.DEFAULT_PHASE - 4096;

    /** The audit thread starts before everything that reports events, and stops after it. */
    public static final int AUDIT = BACKGROUND_WORK - 512;

    /** Leadership is released last, because work that is finishing may require it. */
    public static final int LEADERSHIP = BACKGROUND_WORK - 1024;

    /** Notifications stop after leadership, so that its release is still announced. */
    public static final int NOTIFICATIONS = LEADERSHIP - 512;

    private CredentialPhases() {}
}
