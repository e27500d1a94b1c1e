package io.credential.spring.autoconfigure.security;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;

/**
 * Fails startup if a bean requires scopes but has no proxy that checks them, because it was created before proxies were
 * possible, which Spring only logs, or was registered as an existing instance.
 */
final class EarlyBeanCheck {

    private static final String TEST_OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private final ScopePointcut pointcut = new ScopePointcut(new ScopeRequirements());

    EarlyBeanCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @param processed whether the bean passed through the post-processors */
    void check(String beanName, boolean processed) {
        Object bean = beans.getSingleton(beanName);
        if (bean == null || (!processed && hasTestOverrides())) {
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

    /** Returns whether a test replaces beans, for example with mocks, which it uses without a proxy. */
    private boolean hasTestOverrides() {
        return beans.containsSingleton(TEST_OVERRIDES);
    }

    private void refuseUnchecked(Object bean, String beanName) {
        if (pointcut.isMissingOn(bean)) {
            throw new CredentialConfigurationException(
                    "@RequiresScope on "
                            + AopProxyUtils.ultimateTargetClass(bean).getName() + " (bean '" + beanName
                            + "') is not enforced: the bean was created too early to be proxied, for example as a"
                            + " dependency of a BeanPostProcessor, or was registered as an existing instance.",
                    "Let Spring create the bean. Inject an ObjectProvider into beans that need it early, and look it up"
                            + " when it is used.");
        }
    }
}
