package io.credential.spring.autoconfigure.security;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Stops the start when a bean demands scopes and no proxy checks them: it came into being before there were proxies, of
 * which Spring only leaves a line in the log, or was registered as a finished object.
 */
final class EarlyBeanCheck {

    private static final String TEST_OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private final ScopePointcut pointcut = new ScopePointcut(new ScopeRequirements());

    EarlyBeanCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * @param processed whether the bean went through the post-processors
     */
    void check(String beanName, boolean processed) {
        Object bean = beans.getSingleton(beanName);
        if (bean == null || (!processed && isReplacedByTest())) {
            return;
        }
        refuseUnchecked(bean, beanName);
        if (bean instanceof FactoryBean<?> factory && factory.isSingleton()) {
            Class<?> type = beans.getType(beanName, false);
            if (type != null && AopUtils.canApply(pointcut, type)) {
                refuseUnchecked(beans.getBean(beanName), beanName);
            }
        }
    }

    /** A test uses what it puts in place of a bean, a mock say, as it is. */
    private boolean isReplacedByTest() {
        return beans.containsSingleton(TEST_OVERRIDES);
    }

    private void refuseUnchecked(Object bean, String beanName) {
        if (pointcut.isMissingOn(bean)) {
            throw new CredentialConfigurationException(
                    "@RequiresScope on "
                            + AopProxyUtils.ultimateTargetClass(bean).getName() + " (bean '" + beanName
                            + "') is not enforced: the bean was created too early to be proxied, for example as a"
                            + " dependency of a BeanPostProcessor, or was registered as a finished object.",
                    "Let Spring create the bean, and let whatever needs it so early take an ObjectProvider of it and"
                            + " look it up when it is used.");
        }
    }
}
