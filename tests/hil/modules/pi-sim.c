// SPDX-License-Identifier: GPL-2.0
/*
 * What a Raspberry Pi 4 says of itself in /proc/device-tree: its model and its revision code. A PC
 * has no device tree, and nothing but a kernel can make files in /proc.
 *
 * Source: raspberrypi.com/documentation, "Revision codes in use": c03115 is a 4B 1.5 with 4 GB.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

static const char model[] = "Raspberry Pi 4 Model B Rev 1.5";
static const u8 revision[] = { 0x00, 0xc0, 0x31, 0x15 };
static struct proc_dir_entry *tree;

static int show_model(struct seq_file *file, void *unused)
{
	seq_write(file, model, sizeof(model));
	return 0;
}

static int show_revision(struct seq_file *file, void *unused)
{
	seq_write(file, revision, sizeof(revision));
	return 0;
}

static int __init pi_start(void)
{
	struct proc_dir_entry *system;

	tree = proc_mkdir("device-tree", NULL);
	system = tree ? proc_mkdir("system", tree) : NULL;
	if (!system)
		return -ENOMEM;
	proc_create_single("model", 0444, tree, show_model);
	proc_create_single("linux,revision", 0444, system, show_revision);
	return 0;
}

static void __exit pi_end(void)
{
	proc_remove(tree);
}

module_init(pi_start);
module_exit(pi_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A Raspberry Pi 4's model and revision in /proc/device-tree");
