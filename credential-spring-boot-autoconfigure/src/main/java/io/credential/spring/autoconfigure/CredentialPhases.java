package io.credential.spring.autoconfigure;

import org.springframework.context.SmartLifecycle;

/**
 * When what we start is started and stopped: before the web server takes its first request, and after it has answered
 * its last (its own phases are 1024 and 2048 below the default). The DataSource is closed after all of them.
 *
 * @since 0.1.0
 */
public final class CredentialPhases {

    /** Background work starts after leadership and stops before it. */
    public static final int BACKGROUND_WORK = SmartLifecycle.DEFAULT_PHASE - 4096;

    /** The audit thread starts before everything that reports events, and stops after it. */
    public static final int AUDIT = BACKGROUND_WORK - 512;

    /** Leadership is given up last, so that work that is being finished still has it. */
    public static final int LEADERSHIP = BACKGROUND_WORK - 1024;

    private CredentialPhases() {}
}
